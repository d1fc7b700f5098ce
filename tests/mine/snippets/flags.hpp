#define RUNTIME_FLAGS(debug, release, release_on_stg)   \
release(bool, DEMO_DIRECT, true, "a switch")            \
release(size_t, DEMO_CHUNK, 4 * Ki, "a size")           \
debug(cstring, DEMO_FILE, "", "a name")                 \
release(uint, DEMO_QUEUES, 4, "a count, with a comma")
