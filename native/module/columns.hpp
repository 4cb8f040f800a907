// Columns as Arrow lays them out: bitmaps of what is there, numbers, flags as bits, texts end to end with their ends.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tichu::replays {

class Bits {
public:
    void add(bool value) {
        if (count_ % 8 == 0) bytes_.push_back('\0');
        if (value) bytes_.back() = static_cast<char>(bytes_.back() | 1 << count_ % 8);
        ++count_;
    }

    const std::string& bytes() const { return bytes_; }

private:
    std::string bytes_;
    std::size_t count_ = 0;
};

// One column; which of the three kinds it is, the first value decides.
class Column {
public:
    void add(int value) {
        numbers_.push_back(value);
        present_.add(true);
    }

    void add(bool value) {
        flags_.add(value);
        present_.add(true);
    }

    void add(std::string_view value) {
        text_ += value;
        close_text(true);
    }

    template <typename Value>
    void add(const std::optional<Value>& value) {
        if (value) {
            add(*value);
            return;
        }
        ++missing_;
        if constexpr (std::is_same_v<Value, std::string_view>) {
            close_text(false);
            return;
        } else if constexpr (std::is_same_v<Value, bool>) {
            flags_.add(false);
        } else {
            numbers_.push_back(0);
        }
        present_.add(false);
    }

    std::size_t missing() const { return missing_; }
    const std::string& present() const { return present_.bytes(); }
    const std::vector<std::int32_t>& numbers() const { return numbers_; }
    const std::string& flags() const { return flags_.bytes(); }
    // Where each text ends, after a 0; empty for other columns.
    const std::vector<std::int32_t>& ends() const { return ends_; }
    const std::string& text() const { return text_; }

private:
    void close_text(bool is_there) {
        if (ends_.empty()) ends_.push_back(0);
        ends_.push_back(static_cast<std::int32_t>(text_.size()));
        present_.add(is_there);
    }

    Bits present_, flags_;
    std::vector<std::int32_t> numbers_, ends_;
    std::string text_;
    std::size_t missing_ = 0;
};

// A table whose columns come into being with its first row.
class Table {
public:
    template <typename... Values>
    void add(const Values&... values) {
        columns_.resize(sizeof...(values));
        std::size_t at = 0;
        (columns_[at++].add(values), ...);
        ++rows_;
    }

    std::size_t rows() const { return rows_; }
    const std::vector<Column>& columns() const { return columns_; }

private:
    std::vector<Column> columns_;
    std::size_t rows_ = 0;
};

}  // namespace tichu::replays
