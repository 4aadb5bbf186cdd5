import StrataObjectGraph
import Testing

/// What a fetch gives under its own class is the very array that was made.
@Suite struct RetypedArrayTests {
  private class Animal {}
  private final class Cat: Animal {}

  @Test func anArrayOfOneClassIsTheSameUnderThatClass() {
    let cats: [Animal] = [Cat(), Cat()]
    let retyped = cats.retyped(as: Cat.self)
    #expect(retyped.elementsEqual(cats) { $0 === $1 })
    #expect(cats.isEmpty == false && [Animal]().retyped(as: Cat.self).isEmpty)
    let same = cats.withUnsafeBufferPointer { $0.baseAddress.map(UnsafeRawPointer.init) }
    #expect(retyped.withUnsafeBufferPointer { $0.baseAddress.map(UnsafeRawPointer.init) } == same)
    // Who changes one of the two leaves the other as it was.
    var longer = retyped
    longer.append(Cat())
    #expect((cats.count, longer.count) == (2, 3))
  }

  @Test func anArrayOfValuesIsRefused() async {
    await #expect(processExitsWith: .failure) { _ = [1, 2].retyped(as: String.self) }
  }
}
