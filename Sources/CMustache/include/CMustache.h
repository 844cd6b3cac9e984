#ifndef CMUSTACHE_H
#define CMUSTACHE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A value that a template sees: a text, a truth, a list, or an object.
typedef struct mustache_value mustache_value;

mustache_value *mustache_text(const char *start, size_t count);
mustache_value *mustache_truth(int truth);
mustache_value *mustache_list(void);
mustache_value *mustache_object(void);
/// Adds a value to a list, and frees it.
void mustache_push(mustache_value *list, mustache_value *value);
/// Sets a value of an object, and frees it.
void mustache_set(mustache_value *object, const char *name, mustache_value *value);
void mustache_free(mustache_value *value);

/// Renders a template, escaping for HTML, and hands out the text piece by piece. Returns 0, or 1 where the template has a mistake.
int mustache_render(const char *start, size_t count, const mustache_value *data, void *context, void (*piece)(void *context, const char *start, size_t count));

#ifdef __cplusplus
}
#endif
#endif
