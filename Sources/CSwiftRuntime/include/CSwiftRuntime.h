#ifndef CSWIFTRUNTIME_H
#define CSWIFTRUNTIME_H

#include <stdint.h>

/// Retains `object` unless its deinitialisation has begun; answers NULL if it has.
/// Weak references do the same at four times the cost (a side table for every object).
/// The caller must keep the memory from being freed meanwhile: see ObjectRegistry.
void *strata_try_retain(void *object);

/// Retains `object` as often as `count` says, at the price of once.
void strata_retain(void *object, unsigned count);

/// A method or an initializer as the compiler wrote it down, and the class that declares it.
typedef struct { const void *member, *declarer; } strata_member;

/// The code that runs when a member is called on a class, its own or an inherited one.
const void *strata_code(const void *type, strata_member member);

/// `init()` of `NSObject`.
strata_member strata_object_init(void);

/// Makes an object of a class by the class's own form of an initializer, which takes over what it is given. Swift calls
/// no initializer of a class that is known only at run time, unless every subclass has to have it.
void *strata_make(const void *type, strata_member initializer, uintptr_t first, uintptr_t second, uintptr_t third);

typedef void (*strata_class_visitor)(const void *type, void *context);

/// Hands over each class of the program with a name, in whatever module, type or file it is declared. Looking through
/// all types of a program takes some 20 microseconds.
void strata_each_class(const char *name, strata_class_visitor body, void *context);

/// What is declared, of a type; what that is declared in, or NULL of a module; and its name, or NULL if it has none as
/// an extension and a file.
const void *strata_context(const void *type);
const void *strata_outer_context(const void *context);
const char *strata_context_name(const void *context);

/// What the calling thread has been told to remember: the innermost block of a context that it is in. A task-local value
/// would go along with tasks that outlive the block.
void *strata_block(void);
void strata_set_block(void *block);

#endif
