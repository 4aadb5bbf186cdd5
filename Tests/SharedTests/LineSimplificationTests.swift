import StrataQuakes
import Testing

struct LineSimplificationTests {
  private func simplified(_ line: [(Double, Double)], _ tolerance: Double) -> [[Double]] {
    LineSimplification.simplified(line.map { (x: $0.0, y: $0.1) }, tolerance: tolerance).map { [$0.x, $0.y] }
  }

  @Test func `points near the line are left out`() {
    let line = [(0.0, 0.0), (1, 0.05), (2, -0.05), (3, 1), (4, 0)]
    #expect(simplified(line, 0.1) == [[0, 0], [2, -0.05], [3, 1], [4, 0]])
    #expect(simplified(line, 2) == [[0, 0], [4, 0]])
    #expect(simplified(line, 0) == line.map { [$0.0, $0.1] })
  }

  @Test func `a closed line keeps its shape`() {
    let square = [(0.0, 0.0), (0.5, 0), (1, 0), (1, 1), (0, 1), (0, 0)]
    #expect(simplified(square, 0.1) == [[0, 0], [1, 0], [1, 1], [0, 1], [0, 0]])
    #expect(simplified([(0, 0), (0.01, 0), (0.01, 0.01), (0, 0)], 0.1) == [[0, 0], [0, 0]])
  }

  @Test func `lines without a point in between stay`() {
    #expect(simplified([], 1) == [] && simplified([(1, 2)], 1) == [[1, 2]])
    #expect(simplified([(1, 2), (1, 2)], 1) == [[1, 2], [1, 2]])
    #expect(simplified([(0, 0), (.nan, .nan), (1, 0)], 1) == [[0, 0], [1, 0]])
  }
}
