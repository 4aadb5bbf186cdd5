import StrataQuakes

extension Failure {
  static func noQuake(_ id: String) -> Failure {
    Failure(.notFound, "there is no earthquake \"\(id)\" in the store; \"quakes list\" shows the IDs")
  }
}
