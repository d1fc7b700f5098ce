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
