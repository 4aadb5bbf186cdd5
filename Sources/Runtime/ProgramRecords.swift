import StrataCSwiftRuntime
import Synchronization

/// The records in the images of the program: ELF notes, whose content is the address of a function. The function registers
/// the models and classes of a target that is built with the model plugin.
///
/// The linker gathers notes into segments that `dl_iterate_phdr(3)` finds in every image of a process, so a record is plain
/// data: nothing runs when the program is loaded, and a program that never uses a model never calls the function. Both are
/// public interfaces. Swift's `@section` gives the note its section, and the compiler's back end the section its type.
package enum ProgramRecords {
  private struct State {
    /// The number of images loaded when the records were last read.
    var images: UInt64?
    var called: Set<UInt> = []
  }
  private static let state = Mutex(State())

  /// Calls the registration functions that have not been called yet, and returns when they have returned. Registration
  /// functions must not call this.
  package static func register() {
    state.withLock { state in
      let images = strata_loaded_images()
      guard state.images != images else { return }
      state.images = images
      // A C function is the address of its code, and nothing else identifies it.
      for function in functions() where state.called.insert(unsafeBitCast(function, to: UInt.self)).inserted {
        function()
      }
    }
  }

  /// Collected first, because the loader holds a lock while it passes images.
  private static func functions() -> [@convention(c) () -> Void] {
    var found: [@convention(c) () -> Void] = []
    withUnsafeMutablePointer(to: &found) { found in
      strata_each_registration(
        { function, found in
          guard let function else { return }
          found?.assumingMemoryBound(to: [@convention(c) () -> Void].self).pointee.append(function)
        }, found)
    }
    return found
  }
}
