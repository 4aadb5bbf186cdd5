/// Core Data: models, managed objects, contexts, coordinators, stores and containers.
@_exported import Foundation
@_exported import ManagedModel
@_exported import ObjectGraph
@_exported import Predicates
@_exported import StoreCoordination
