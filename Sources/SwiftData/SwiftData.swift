/// SwiftData: persistent classes declared in Swift, kept by Core Data.
@_exported import CoreData
@_exported import Observation
