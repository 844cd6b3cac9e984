// The C face of a C++ Mustache library (github.com/kainjow/Mustache, Debian's libkainjow-mustache-dev), for Linux: the Swift libraries for
// templates there are import Foundation, which alone is larger than all of btscribe.
#if defined(__linux__)

#include "CMustache.h"

#include <kainjow/mustache.hpp>

#include <string>
#include <utility>

using kainjow::mustache::data;

struct mustache_value {
  data value;
};

extern "C" {

mustache_value *mustache_text(const char *start, size_t count) { return new mustache_value{data{std::string{start, count}}}; }
mustache_value *mustache_truth(int truth) { return new mustache_value{data{truth != 0}}; }
mustache_value *mustache_list(void) { return new mustache_value{data{data::type::list}}; }
mustache_value *mustache_object(void) { return new mustache_value{data{data::type::object}}; }

void mustache_push(mustache_value *list, mustache_value *value) {
  list->value.push_back(value->value);
  delete value;
}

void mustache_set(mustache_value *object, const char *name, mustache_value *value) {
  object->value.set(name, value->value);
  delete value;
}

void mustache_free(mustache_value *value) { delete value; }

int mustache_render(
    const char *start, size_t count, const mustache_value *data, void *context, void (*piece)(void *context, const char *start, size_t count)) {
  kainjow::mustache::mustache page{std::string{start, count}};
  if (!page.is_valid()) return 1;
  page.render(data->value, [&](const std::string &text) { piece(context, text.data(), text.size()); });
  return page.is_valid() ? 0 : 1;
}
}

#endif
