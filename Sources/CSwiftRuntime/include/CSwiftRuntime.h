#ifndef CSWIFTRUNTIME_H
#define CSWIFTRUNTIME_H

/// Retains `object` unless its deinitialisation has begun; answers NULL if it has.
/// Weak references do the same at four times the cost (a side table for every object).
/// The caller must keep the memory from being freed meanwhile: see ObjectRegistry.
void *strata_try_retain(void *object);

/// Retains `object` as often as `count` says, at the price of once.
void strata_retain(void *object, unsigned count);

/// The code that runs when `validateValue(_:forKey:)` is called on an object of a class: `type` is the class.
const void *strata_value_validation(const void *type);

/// What the calling thread has been told to remember: the innermost block of a context that it is in. A task-local value
/// would go along with tasks that outlive the block.
void *strata_block(void);
void strata_set_block(void *block);

#endif
