#include "CSwiftRuntime.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/// The metadata sections of one image of the program:
/// https://github.com/swiftlang/swift/blob/main/stdlib/public/SwiftShims/swift/shims/MetadataSections.h
struct range { uintptr_t start; size_t length; };
struct sections { uintptr_t version; const void *base, *unused[2]; struct range protocols, conformances, types; };

/// Exported by libswiftCore on ELF platforms.
extern void swift_enumerateAllMetadataSections(bool (*body)(const struct sections *, void *), void *context);

/// The beginning of a type's context descriptor; the fields are self-relative offsets.
/// https://github.com/swiftlang/swift/blob/main/include/swift/ABI/Metadata.h (TargetContextDescriptor and its
/// subclasses)
struct context { uint32_t flags; int32_t parent, name, type; };

enum {
  module_kind = 0, extension_kind = 1, anonymous_kind = 2, class_kind = 16, enum_kind = 18,
  kind_mask = 0x1f, is_generic = 0x80
};

/// The descriptor of an enumeration (TargetEnumDescriptor in the same file).
struct enumeration { struct context context; int32_t fields; uint32_t payload_cases, empty_cases; };

/// The highest byte says where metadata has the payload's size.
enum { payload_cases_mask = 0xffffff };

static const void *at(const int32_t *distance) { return (const char *)distance + *distance; }

struct search { const char *name; strata_class_visitor body; void *context; };

static bool look(const struct sections *sections, void *context) {
  const struct search *search = context;
  const int32_t *end = (const int32_t *)(sections->types.start + sections->types.length);
  for (const int32_t *record = (const int32_t *)sections->types.start; record < end; record++) {
    // The lowest bits say whether the reference is direct or indirect.
    int32_t form = *record & 3;
    const char *place = (const char *)record + (*record - form);
    if (form > 1) continue;
    const struct context *type = form ? *(const struct context *const *)place : (const struct context *)place;
    if (!type || (type->flags & kind_mask) != class_kind || (type->flags & is_generic)) continue;
    if (strcmp(at(&type->name), search->name)) continue;
    typedef __attribute__((swiftcall)) const void *(*accessor)(uintptr_t state);
    search->body(((accessor)at(&type->type))(0), search->context);
  }
  return true;
}

void strata_each_class(const char *name, strata_class_visitor body, void *context) {
  struct search search = {name, body, context};
  swift_enumerateAllMetadataSections(look, &search);
}

/// Exported by libswiftCore.
extern const void *swift_getTypeContextDescriptor(const void *type);

const void *strata_context(const void *type) { return swift_getTypeContextDescriptor(type); }

const void *strata_outer_context(const void *inner) {
  const struct context *context = inner;
  if (!context->parent) return 0;
  const char *place = (const char *)&context->parent + (context->parent & ~1);
  return context->parent & 1 ? *(const void *const *)place : place;
}

const char *strata_context_name(const void *context) {
  const struct context *named = context;
  uint32_t kind = named->flags & kind_mask;
  return kind == extension_kind || kind == anonymous_kind ? 0 : at(&named->name);
}

uint32_t strata_plain_cases(const void *type) {
  const struct enumeration *found = swift_getTypeContextDescriptor(type);
  if (!found || (found->context.flags & kind_mask) != enum_kind) return 0;
  return found->payload_cases & payload_cases_mask ? 0 : found->empty_cases;
}
