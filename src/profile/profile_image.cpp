// SPDX-License-Identifier: MIT
// Numbers are decimal and end in a blank; a text is its length, a blank and its bytes. One
// description of the fields serves both directions.
#include "profile/profile_image.h"

#include <type_traits>

#include "util/decimal.h"
#include "util/text.h"

namespace rocenv {

namespace {

class Writer {
   public:
    static constexpr bool writes = true;

    void whole(std::int64_t& value) { out_ += std::to_string(value) + " "; }
    void real(double& value) {
        std::string shortest = shortest_decimal(value);
        text(shortest);
    }
    void text(std::string& value) { out_ += number(value.size()) + " " + value; }
    std::string take() { return std::move(out_); }

   private:
    std::string out_;
};

class Reader {
   public:
    static constexpr bool writes = false;

    Reader(std::string_view image, const std::string& file) : rest_(image), file_(file) {}

    void whole(std::int64_t& value) {
        const auto end = rest_.find(' ');
        value = parse_signed(rest_.substr(0, end)).value_or(0);
        rest_.remove_prefix(end + 1);
    }
    void real(double& value) { value = read_decimal(view()).value; }
    void text(std::string& value) { value = view(); }

    std::string_view view() {
        std::int64_t size = 0;
        whole(size);
        const auto out = rest_.substr(0, static_cast<std::size_t>(size));
        rest_.remove_prefix(out.size());
        return out;
    }
    const std::string& file() const { return file_; }

   private:
    std::string_view rest_;
    const std::string& file_;
};

template <class Image, class Number>
void count(Image& image, Number& value) {
    auto whole = static_cast<std::int64_t>(value);
    image.whole(whole);
    value = static_cast<Number>(whole);
}

template <class Image, class Item, class Each>
void list(Image& image, std::vector<Item>& items, const Each& each) {
    auto size = items.size();
    count(image, size);
    items.resize(size);
    for (auto& item : items) {
        each(item);
    }
}

template <class Image>
void texts(Image& image, std::vector<std::string>& items) {
    list(image, items, [&](std::string& item) { image.text(item); });
}

template <class Image, class Map, class Each>
void map(Image& image, Map& items, const Each& each) {
    auto size = items.size();
    count(image, size);
    if constexpr (Image::writes) {
        for (auto& [key, item] : items) {
            std::string name = key;
            image.text(name);
            each(item);
        }
    } else {
        for (; size > 0; --size) {
            std::string name;
            image.text(name);
            each(items[name]);
        }
    }
}

template <class Image, class Item, class Each>
void perhaps(Image& image, std::optional<Item>& item, const Each& each) {
    bool there = item.has_value();
    count(image, there);
    if (there) {
        if (!item) {
            item.emplace();
        }
        each(*item);
    }
}

template <class Image>
void place(Image& image, Place& where) {
    count(image, where.line);
    count(image, where.column);
    if constexpr (!Image::writes) {
        where.file = image.file();
    }
}

// The alternatives of Value::data, in their order.
enum class Kind { boolean, integer, real, text, list, table };

void choose(Value& value, Kind kind) {
    switch (kind) {
        case Kind::boolean:
            value.data = false;
            break;
        case Kind::integer:
            value.data = std::int64_t{0};
            break;
        case Kind::real:
            value.data = 0.0;
            break;
        case Kind::text:
            value.data = std::string();
            break;
        case Kind::list:
            value.data = ValueList();
            break;
        case Kind::table:
            value.data = ValueTable();
            break;
    }
}

template <class Image>
void value(Image& image, Value& of) {
    auto kind = static_cast<Kind>(of.data.index());
    count(image, kind);
    if constexpr (!Image::writes) {
        choose(of, kind);
    }
    std::visit(
        [&](auto& data) {
            using Data = std::decay_t<decltype(data)>;
            const auto inner = [&](Value& each) { value(image, each); };
            if constexpr (std::is_same_v<Data, std::string>) {
                image.text(data);
            } else if constexpr (std::is_same_v<Data, double>) {
                image.real(data);
            } else if constexpr (std::is_same_v<Data, ValueList>) {
                list(image, data, inner);
            } else if constexpr (std::is_same_v<Data, ValueTable>) {
                map(image, data, inner);
            } else {
                count(image, data);
            }
        },
        of.data);
    place(image, of.place);
}

template <class Image>
void when(Image& image, When& condition) {
    list(image, condition.devices, [&](std::uint32_t& device) { count(image, device); });
    texts(image, condition.gfx);
    map(image, condition.versions, [&](std::string& bounds) { image.text(bounds); });
    image.text(condition.gpus);
    image.text(condition.module);
    perhaps(image, condition.root, [&](bool& root) { count(image, root); });
    count(image, condition.of_setting);
}

template <class Image>
void entry(Image& image, ProfileEntry& of) {
    image.text(of.id);
    count(image, of.bare);
    count(image, of.unset);
    perhaps(image, of.value, [&](Value& each) { value(image, each); });
    perhaps(image, of.level, [&](Level& each) { count(image, each); });
    perhaps(image, of.why, [&](std::string& each) { image.text(each); });
    perhaps(image, of.source, [&](std::string& each) { image.text(each); });
    perhaps(image, of.when, [&](When& each) { when(image, each); });
    count(image, of.must_exist);
    place(image, of.place);
}

// Comes first, because the selection of a profile reads this part of all shipped profiles.
template <class Image>
void match(Image& image, Match& of) {
    image.text(of.profile);
    list(image, of.devices, [&](std::uint32_t& device) { count(image, device); });
    texts(image, of.gfx);
    texts(image, of.nics);
    image.text(of.rocm);
    count(image, of.automatic);
}

template <class Image>
void head(Image& image, ProfileText& profile) {
    match(image, profile.match);
    image.text(profile.name);
    image.text(profile.summary);
    texts(image, profile.extends);
    list(image, profile.extends_places, [&](Place& each) { place(image, each); });
    texts(image, profile.also);
    count(image, profile.values);
    count(image, profile.bytes);
}

// Returns an entry after its size ("N ID"), so that its id is known without reading the rest.
std::string_view behind_size(std::string_view entry) {
    return entry.substr(entry.find(' ') + 1);
}

bool is_variable(std::string_view entry) {
    return behind_size(entry).starts_with("env.");
}

template <class Accepts>
void entries_in(Reader& reader, const std::string& file, const Accepts& accepts,
                std::vector<ProfileEntry>& into) {
    std::size_t size = 0;
    for (count(reader, size); size > 0; --size) {
        const auto text = reader.view();
        if (accepts(text)) {
            Reader inner(text, file);
            entry(inner, into.emplace_back());
        }
    }
}

}  // namespace

std::string image_of(const ProfileText& profile) {
    ProfileText copy = profile;
    Writer writer;
    head(writer, copy);
    auto size = copy.entries.size();
    count(writer, size);
    for (auto& each : copy.entries) {
        Writer inner;
        entry(inner, each);
        std::string text = inner.take();
        writer.text(text);
    }
    return writer.take();
}

Match match_in(std::string_view image) {
    const std::string no_file;
    Match out;
    Reader reader(image, no_file);
    match(reader, out);
    return out;
}

ProfileText profile_in(std::string_view image, const std::string& file, Entries entries) {
    ProfileText out;
    out.file = file;
    Reader reader(image, file);
    head(reader, out);
    if (entries != Entries::none) {
        const auto accepts = [&](std::string_view text) {
            return entries == Entries::all || is_variable(text);
        };
        entries_in(reader, file, accepts, out.entries);
    }
    return out;
}

ProfileText profile_in(std::string_view image, const std::string& file, std::string_view id) {
    ProfileText out;
    out.file = file;
    Reader reader(image, file);
    head(reader, out);
    const std::string start = number(id.size()) + " " + std::string(id);
    entries_in(
        reader, file, [&](std::string_view text) { return text.starts_with(start); }, out.entries);
    return out;
}

}  // namespace rocenv
