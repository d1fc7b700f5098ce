#include <stdlib.h>
#include <string.h>
/* getenv("DEMO_IN_A_COMMENT") */
static int level = 0;
void settings(void) {
    level = atoi(getenv("DEMO_LEVEL"));
    if (getenv("DEMO_PRESENT")) level = 1;
    const char* text = getenv("DEMO_SWITCH");
    if (text != NULL && strcmp(text, "1") == 0) level = 2;
    const char* count = getenv("DEMO_COUNT");
    int blocks = count ? atoi(count) : 64;
    const char* mask = getenv("DEMO_MASK");
    long bits = mask ? strtol(mask, NULL, 0) : 0x10;
    const char* mode = getenv("DEMO_MODE");
    choose(mode, blocks + bits);
    const char* root = getenv("DEMO_ROOT");
    if (root != NULL) snprintf(path, sizeof path, "%s/lib", root);
    const char* first = getenv("DEMO_FIRST");
    if (first == NULL) first = getenv("DEMO_SECOND");
    if (first != NULL) fprintf(stderr, "%s", first);
}
int wrapped = demo_number("DEMO_WRAPPED", 3);
int opaque = demo_opaque("DEMO_OPAQUE", 3);
int or_empty(void) {
    const char* text = getenv("DEMO_OR_EMPTY");
    if (text != NULL && *text) return atoi(text);
    return 0;
}
int chosen = demo_chosen("DEMO_CHOSEN", "slow", {"slow", "quick"});
const char* binary(void) {
    const char* text = getenv("DEMO_GIVEN_BACK");
    return (text && text[0] != '\0') ? text : "demo_server";
}
int channels(void) {
    const char* text = getenv("DEMO_NEW_NAME");
    if (!text) text = getenv("DEMO_OLD_NAME");
    return text ? atoi(text) : 4;
}
const char *words(void) {
    const char *transport = getenv("DEMO_TRANSPORT");
    if (transport && strcmp(transport, "shm") == 0) level = 1;
    if (transport && !strcmp(transport, "tcp")) level = 2;
    const char *family = getenv("DEMO_FAMILY");
    if (family && strcasecmp(family, "AF_ANY") == 0) level = 3;
    const char *strict = getenv("DEMO_STRICT");
    if (strict && strcmp(strict, "always") == 0) level = 4;
    else abort();
}
void more(void) {
    const char *size = getenv("DEMO_SIZE");
    if (size && size[0] != '\0') level = atoi(size);
    const char *cache = getenv("DEMO_DISABLE_DISK");
    int off = (cache && strcmp(cache, "0"));
    char *pages = getenv("DEMO_PAGES");
    if (!pages || sscanf(pages, "%u", &level) != 1) level = 1;
    const char *search = getenv("DEMO_SEARCH");
    if (search) level = strtol(search, NULL, 0) != 0;
    const char *dump = getenv("DEMO_DUMP_FILE");
    if (dump) file = fopen(dump, "w");
    const char *config = getenv("DEMO_CONFIG");
    if (!config) config = "demo.conf";
    file = fopen(config, "r");
    const char *library = getenv("DEMO_LIB_PATH");
    if (library) path = library;
    const char *only = getenv("DEMO_ONLY");
    if (only && strncmp(only, "1", 1) == 0) level = 6;
    char *coherent = getenv("DEMO_COHERENT");
    mode = (coherent) ? true : false;
    static bool forced = getenv("DEMO_FORCED");
}
#define DEMO_CHUNKS 12
int limits(void) {
    const char *limit = getenv("DEMO_LIMITED");
    return limit == NULL ? DEMO_CHUNKS : atoi(limit);
}
int named = demo_text("DEMO_NAMED") == "1";
int prefix = demo_text("DEMO_" "PREFIX");
void blocks(void) {
    if (const char *inner = getenv("DEMO_INNER")) {
        if (strcmp(inner, "0") == 0) level = 7;
    }
    if (const char *inner = getenv("DEMO_INNER_NEXT")) level = atoi(inner);
    char *value = NULL;
    if ((value = getenv("DEMO_VALUE"))) {
        level = atoi(value);
    }
    if ((value = getenv("DEMO_VALUE_NEXT")) != NULL) level = 8;
    int seconds = getenv("DEMO_SECONDS") ? atoi(getenv("DEMO_SECONDS")) : 110;
    const char *threading = getenv("DEMO_THREADING");
    if (!threading || strcmp(threading, "safe") == 0) return;
    throw Error("not a way of threading: " + threading);
}
#define DEMO_INFLIGHT 8
static uint32_t inflight(void) {
    static uint32_t val = []() -> uint32_t {
        char const* env = getenv("DEMO_INFLIGHT_MAX");
        return env ? static_cast<uint32_t>(atoi(env)) : DEMO_INFLIGHT;
    }();
    return val;
}
static bool pinned(void) {
    static uint32_t val = []() -> uint32_t {
        char const* env = getenv("DEMO_PINNED");
        return env ? static_cast<uint32_t>(atoi(env)) : 0;
    }();
    return val != 0;
}
