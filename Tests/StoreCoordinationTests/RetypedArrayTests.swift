import StrataObjectGraph
import Testing

/// The conversion of a fetched array to its class, which does not copy the array.
@Suite struct RetypedArrayTests {
  private class Animal {}
  private final class Cat: Animal {}

  @Test func `retyping an array to its class does not copy it`() {
    let cats: [Animal] = [Cat(), Cat()]
    let retyped = cats.retyped(as: Cat.self)
    #expect(retyped.elementsEqual(cats) { $0 === $1 })
    #expect(cats.isEmpty == false && [Animal]().retyped(as: Cat.self).isEmpty)
    let same = cats.withUnsafeBufferPointer { $0.baseAddress.map(UnsafeRawPointer.init) }
    #expect(retyped.withUnsafeBufferPointer { $0.baseAddress.map(UnsafeRawPointer.init) } == same)
    // Changing one of the two does not change the other.
    var longer = retyped
    longer.append(Cat())
    #expect((cats.count, longer.count) == (2, 3))
  }

  @Test func `retyping an array of values stops the program`() async {
    await #expect(processExitsWith: .failure) { _ = [1, 2].retyped(as: String.self) }
  }
}
