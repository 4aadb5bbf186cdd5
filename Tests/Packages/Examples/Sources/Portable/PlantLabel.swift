import CoreData

/// The text of a label, which follows the plant's name.
public final class PlantLabel {
  public private(set) var text: String
  private var observation: NSKeyValueObservation?

  public init(for plant: Plant) {
    text = ""
    observation = plant.observe(\.name, options: [.initial, .new]) { [weak self] plant, _ in
      self?.text = plant.name ?? "unnamed"
    }
  }
}
