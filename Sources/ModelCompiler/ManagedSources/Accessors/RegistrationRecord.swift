/// The data in a generated file by which Core Data finds what the file registers: an ELF note with the address of a
/// function, as `_ProgramRecord` describes it. The loader runs nothing.
package struct RegistrationRecord {
  private let name: String
  private let calls: [String]

  /// - Parameters:
  ///   - name: the name of the constant.
  ///   - calls: statements, each with its lines indented by four spaces.
  package init(_ name: String, calls: [String]) {
    self.name = name
    self.calls = calls.filter { !$0.isEmpty }
  }

  /// The declaration; empty if there is nothing to register.
  ///
  /// After an error that the compiler finds past its type checker, such as a missing `return`, it does not fold constants,
  /// and reports that this one has no value. No other expression avoids that, so a comment in the excerpt explains it.
  package var text: String {
    if calls.isEmpty { return "" }
    return """

      #if compiler(>=6.3)
        // Core Data calls the function when the program first uses a model, a class or a key path.
        @section(".note.strata.model") @used
        // An error here follows from another one, after which the compiler evaluates no constants: correct that one.
        nonisolated private let \(name): _ProgramRecord = (12, 8, 1, 0x6172_7453, 0x6f4d_6174, 0x006c_6564, {
      \(calls.joined())  })
      #endif

      """
  }
}
