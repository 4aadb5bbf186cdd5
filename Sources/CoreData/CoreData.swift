/// Core Data: models, managed objects, contexts, coordinators, stores and containers.
// Before Foundation, so that names that both have mean what is here.
@_exported import Predicates

@_exported import Foundation
@_exported import ManagedModel
@_exported import ObjectGraph
@_exported import StoreCoordination
