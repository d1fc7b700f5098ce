// SPDX-License-Identifier: MIT
#include "util/credentials.h"

#include "support/catch.h"

namespace rocenv::credentials_test {

namespace {

TEST_CASE("credentials: no user and no password of an address is left") {
    CHECK(without_credentials("https://user:word@host/x") == "https://***@host/x");
    CHECK(without_credentials("//user:word@10.0.0.1:1") == "//***@10.0.0.1:1");
    CHECK(without_credentials("redis://:word@host:1") == "redis://***@host:1");
    CHECK(without_credentials("a=http://u@h b=http://u:p@w@h?q") ==
          "a=http://***@h b=http://***@h?***");
    CHECK(without_credentials("https://u:pa/ss?w#d@host/x") == "https://***@host/x");
    CHECK(without_credentials("\"https://u:p@h\",'//u:p@h'") == "\"https://***@h\",'//***@h'");
    CHECK(without_credentials("\"https://u:passw...\"") == "\"https://***...\"");
    CHECK(without_credentials("https://host/a...") == "https://host/a...");
    CHECK(without_credentials("https://host/a@b") == "https://host/a@b");
    CHECK(without_credentials("https://u:12/3@h") == "https://***@h");
    CHECK(without_credentials("https://u:12?3#4@h/x") == "https://***@h/x");
    CHECK(without_credentials("https://u:/pw@h") == "https://***@h");
    CHECK(without_credentials("https://u:p w|x'y@h, again") == "https://***@h, again");
    CHECK(without_credentials("http://host:80 and mail a@b") == "http://host:80 and mail a@b");
    CHECK(without_credentials("\"http://h:x\",\"a@b\"") == "\"http://h:x\",\"a@b\"");
    CHECK(without_credentials("https://u:12...") == "https://***...");
    CHECK(without_credentials("https://tok...") == "https://***...");
    CHECK(without_credentials("u:p@h") == "***@h");
    CHECK(without_credentials("://").size() == 3);
    CHECK(without_credentials("").empty());
}

TEST_CASE("credentials: no value of a query is left") {
    CHECK(without_credentials("https://h/x?token=a&key=b#part") ==
          "https://h/x?token=***&key=***#part");
    CHECK(without_credentials("h/?a=1&amp;b=2 c=3") == "h/?a=***&amp;b=*** c=3");
    CHECK(without_credentials("https://h/#access_token=a") == "https://h/#access_token=***");
    CHECK(without_credentials("is it? a=b") == "is it? a=b");
    CHECK(without_credentials("https://u:p@h/?t=x") == "https://***@h/?t=***");
    for (const char* name : {"api%5Fkey", "a[b]", "a~b", "a+b", "a$b", "a:b"}) {
        INFO(name);
        const auto start = "https://h/x?" + std::string(name) + "=";
        CHECK(without_credentials(start + "secret&c=d") == start + "***&c=***");
    }
    CHECK(without_credentials("https://h/x?secret") == "https://h/x?***");
    CHECK(without_credentials("https://h/x?a=b&secret ?") == "https://h/x?a=***&*** ?");
    CHECK(without_credentials("https://h/x;token=a/y;key=b") == "https://h/x;token=***;key=***");
    CHECK(without_credentials("<a b=\"https://h/?a=b&quot; c&lt;?d&gt;\"") ==
          "<a b=\"https://h/?a=***&quot; c&lt;?d&gt;\"");
    CHECK(without_credentials("why? because; a=b") == "why? because; a=b");
}

TEST_CASE("credentials: a whole value may be an address") {
    CHECK(value_without_credentials("u:pw@h:8080") == "***@h:8080");
    CHECK(value_without_credentials("u:p w\"x@h") == "***@h");
    CHECK(value_without_credentials("https://u:12 3\"4@h/x") == "https://***@h/x");
    CHECK(value_without_credentials("https://h/?key=a b") == "https://h/?key=***");
    for (const char* same : {"/a:/b@2/bin", "u@h:80", "git@h:x", "0000:05:00.0", "a:b", "@x:y",
                             "https://h/x", "", "http://h:80", "/x:u@"}) {
        INFO(same);
        CHECK(value_without_credentials(same) == same);
    }
}

TEST_CASE("credentials: no sentence about a value repeats its password") {
    const std::string value = "https://me:secret-word@h/x";
    CHECK(without_hidden_words("\"secret-word@h\" is not a host", value) ==
          "\"***-***@h\" is not a host");
    CHECK(without_hidden_words("h/x is not a host", value) == "h/x is not a host");
    CHECK(without_hidden_words("word", "https://h/word") == "word");
    CHECK(without_hidden_words("read as SECRET-word@h", value) == "read as ***-***@h");
    CHECK(without_hidden_words("\"me:secr...\" is cut", value) == "\"me:***...\" is cut");
    CHECK(without_hidden_words("a secretary in words", value) == "a secretary in words");
    CHECK(without_hidden_words("слово", "u:слово@h") == "***");
}

TEST_CASE("credentials: a user without a scheme is hidden in any text") {
    CHECK(without_credentials("note: f/me:word@host/e.env") == "note: f/***@host/e.env");
    CHECK(without_credentials("\"target\": \"me:word@host0\",") == "\"target\": \"***@host0\",");
    CHECK(without_credentials("a=me:word@[::1]:80, :word@h") == "a=***@[::1]:80, ***@h");
    CHECK(value_without_credentials("/tmp:/x/me:word@host") == "/tmp:/x/***@host");
    for (const std::string text :
         {"git@github.com:a/b", "mlx5_0:1,mlx5_1:1", "[::1]:80", "/opt/foo@1.2/bin:/usr/bin",
          "see mailto:me@site.example", "GPU:%h@%p", "pkg[a]@url", "x: me@h", "a:@h", "a:b@"}) {
        CHECK(without_credentials(text) == text);
    }
}

TEST_CASE("credentials: words of several values are hidden in one sentence") {
    HiddenWords words;
    words.add("a,me:first@h");
    words.add("plain");
    words.add("https://u:second@h/x");
    CHECK(words.removed_from("first plain second.") == "*** plain ***.");
    CHECK(words.removed_from("") == "");
    CHECK(HiddenWords().removed_from("first") == "first");
}

TEST_CASE("credentials: values that are assigned to names of secrets") {
    CHECK(without_credentials("--want HF_TOKEN=abc: no, MY_API_KEY=x y") ==
          "--want HF_TOKEN=***: no, MY_API_KEY=*** y");
    CHECK(without_credentials("\"HF_TOKEN=abc\": 1") == "\"HF_TOKEN=***\": 1");
    CHECK(without_credentials("HF_TOKEN= KEY=x TOKENS=y token=z") ==
          "HF_TOKEN= KEY=x TOKENS=y token=z");
    CHECK(value_without_credentials("a HF_TOKEN=b c") == "a HF_TOKEN=*** c");
    CHECK(without_credentials("(DB_PASS=a&b,c). hf_token=x PGPASSWORD=y") ==
          "(DB_PASS=***). hf_token=*** PGPASSWORD=***");
    CHECK(without_credentials("export USE_PER_TOKEN=1 A_KEY=true KEY=x pass=y PASS=z") ==
          "export USE_PER_TOKEN=1 A_KEY=true KEY=x pass=y PASS=z");
}

TEST_CASE("credentials: secrets in quotes end at their quote") {
    CHECK(without_credentials("HF_TOKEN='a b' or HF_TOKEN=\"c, d\" e") ==
          "HF_TOKEN='***' or HF_TOKEN=\"***\" e");
    CHECK(without_credentials(R"({"HF_TOKEN": "a b", 'DB_PASS': 'c'})") ==
          R"({"HF_TOKEN": "***", 'DB_PASS': '***'})");
    CHECK(without_credentials(R"("have": "HF_TOKEN=\"a b\" c", "fix": "x")") ==
          R"("have": "HF_TOKEN=\"***\" c", "fix": "x")");
    CHECK(without_credentials(R"("have": "{\"HF_TOKEN\": \"a b\"}")") ==
          R"("have": "{\"HF_TOKEN\": \"***\"}")");
    for (const std::string text :
         {R"({"have":"HF_TOKEN=","fix":"x"})", R"({"env.HF_TOKEN": {"why": "x"}, "A_TOKEN": 7})",
          R"({"a": ["HF_TOKEN="], "b": 1})",
          R"(<a message="HF_TOKEN="><b c="HF_TOKEN=" d="e"/>)"}) {
        CHECK(without_credentials(text) == text);
    }
    CHECK(without_credentials("\"HF_TOKEN='a b\", \"it's\"") == "\"HF_TOKEN='***\", \"it's\"");
}

TEST_CASE("credentials: a password may contain '@', ',' and '='") {
    CHECK(without_credentials("bob:p@word@h x") == "***@h x");
    CHECK(without_credentials("a=bob:pa=word,x@h") == "a=***@h");
    CHECK(without_credentials("bob:word@_gateway bob:word@$HOST bob:word@${HOST}:1") ==
          "***@_gateway ***@$HOST ***@${HOST}:1");
}

TEST_CASE("credentials: a user behind an escape leaves the escape whole") {
    CHECK(without_credentials(R"("a\nme:word@h")") == R"("a\n***@h")");
    CHECK(without_credentials(R"("a \\\n:word@h")") == R"("a \\\n***@h")");
    CHECK(without_credentials(R"("C:\\me:word@h")") == R"("C:\\***@h")");
    CHECK(without_credentials(R"("\u000ame:word@h")") == R"("\u000a***@h")");
}

TEST_CASE("credentials: sizes, digests and networks behind an '@' are not hosts") {
    for (const std::string text :
         {"crashkernel=512M-2G:64M,2G-:128M@16M", "ivrs_acpihid=AMD0020:00@0001:00:14.5",
          "video=DP-1:1024x768@60", "rocm/vllm:v0.6@sha256:deadbeef", "pytorch:2.3@sha256:1",
          "10.0.0.1@o2ib:10.0.0.2@o2ib:/fs", "10.0.0.1@tcp1:10.0.0.2@tcp1"}) {
        CHECK(without_credentials(text) == text);
        CHECK(value_without_credentials(text) == text);
    }
}

TEST_CASE("credentials: an address whose path was normalised") {
    CHECK(without_credentials("cannot read https:/u:p@h/x?t=y") ==
          "cannot read https:/***@h/x?t=***");
    CHECK(without_credentials("a:/b/c@d") == "a:/b/c@d");
}

TEST_CASE("credentials: what is clean stays so") {
    const auto once = without_credentials("https://u:p@h/x?a=b&c=d /sys/devices/x#y");
    CHECK(without_credentials(once) == once);
}

}  // namespace

}  // namespace rocenv::credentials_test
