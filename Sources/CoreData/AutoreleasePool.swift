/// Runs a block and returns its result.
///
/// On Apple's platforms, it also drains the autorelease pool of the block. Swift without Objective-C has none: objects
/// are released as soon as nothing refers to them.
// Programs have long declared such a function of their own for Linux: theirs is preferred.
@_disfavoredOverload
public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result { try body() }
