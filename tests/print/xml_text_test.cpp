// SPDX-License-Identifier: MIT
#include "print/escape.h"

#include "support/catch.h"

namespace rocenv::xml_text_test {

TEST_CASE("xml: whatever bytes a text holds, XML 1.0 can hold it", "[xml]") {
    CHECK(xml_text("a<b> & \"c\"\n\té") == "a&lt;b&gt; &amp; &quot;c&quot;\n\té");
    CHECK(xml_text("]]>") == "]]&gt;");
    CHECK(xml_text(std::string_view("\0\x1b\r\x7f", 4)) == "\\x00\\x1b\\x0d\x7f");
    CHECK(xml_text("\xff\xc3") == "\\xff\\xc3");
    CHECK(xml_text("\xed\xa0\x80") == "\\xed\\xa0\\x80");
    CHECK(xml_text("\uFFFD\uFFFE\uFFFF") == "\uFFFD\\xef\\xbf\\xbe\\xef\\xbf\\xbf");
}

}  // namespace rocenv::xml_text_test
