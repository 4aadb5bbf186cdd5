#ifndef CSWIFTRUNTIME_H
#define CSWIFTRUNTIME_H

#include <stdint.h>

/// Retains `object` unless its deinitialisation has begun; returns NULL if it has.
/// Weak references do the same at four times the cost (a side table for every object).
/// The caller must keep the memory from being freed meanwhile: see ObjectRegistry.
void *strata_try_retain(void *object);

/// Retains `object` `count` times at the cost of one retain.
void strata_retain(void *object, unsigned count);

/// A method or an initializer as the compiler wrote it down, and the class that declares it.
typedef struct { const void *member, *declarer; } strata_member;

/// The code that runs when a member is called on a class, its own or an inherited one.
const void *strata_code(const void *type, strata_member member);

/// `init()` of `NSObject`.
strata_member strata_object_init(void);

/// Creates an instance of a class with that class's override of an initializer, which consumes its arguments. Swift
/// calls an initializer of a class known only at run time only if it is `required`.
void *strata_make(const void *type, strata_member initializer, uintptr_t first, uintptr_t second, uintptr_t third);

typedef void (*strata_class_visitor)(const void *type, void *context);

/// Calls `body` with each class of the program that has a name, in whatever module, type or file it is declared.
/// Searching all types of a program takes some 20 microseconds.
void strata_each_class(const char *name, strata_class_visitor body, void *context);

/// The context descriptor of a type; the parent of a context, NULL for a module; and a context's name, NULL for
/// extensions and files, which have none.
const void *strata_context(const void *type);
const void *strata_outer_context(const void *context);
const char *strata_context_name(const void *context);

/// The number of cases of an enumeration none of whose cases has a payload; 0 for every other type.
uint32_t strata_plain_cases(const void *type);

/// Thread-local storage: see ReadBurst.
void *strata_thread_scope(void);
void strata_set_thread_scope(void *scope);

#endif
