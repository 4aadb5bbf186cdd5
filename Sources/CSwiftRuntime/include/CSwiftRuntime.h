#ifndef CSWIFTRUNTIME_H
#define CSWIFTRUNTIME_H

#include <stdint.h>

/// Retains `object` unless its deinitialisation has begun; answers NULL if it has.
/// Weak references do the same at four times the cost (a side table for every object).
/// The caller must keep the memory from being freed meanwhile: see ObjectRegistry.
void *strata_try_retain(void *object);

/// Retains `object` as often as `count` says, at the price of once.
void strata_retain(void *object, unsigned count);

/// The code that runs when `validateValue(_:forKey:)` is called on an object of a class: `type` is the class.
const void *strata_value_validation(const void *type);

/// The initializers that `strata_make` calls: `init(concurrencyType:)` of a context, `init(managedObjectModel:)` of a
/// coordinator, `init(name:managedObjectModel:)` of a container.
typedef enum { strata_init_context, strata_init_coordinator, strata_init_container } strata_initializer;

/// Makes an object of a class by the class's own form of an initializer, which takes over what it is given. Swift calls
/// no initializer of a class that is known only at run time, unless every subclass has to have it.
void *strata_make(const void *type, strata_initializer which, uintptr_t first, uintptr_t second, uintptr_t third);

/// What the calling thread has been told to remember: the innermost block of a context that it is in. A task-local value
/// would go along with tasks that outlive the block.
void *strata_block(void);
void strata_set_block(void *block);

#endif
