/// Core Data: models, managed objects, contexts, coordinators, stores and containers.
@_exported import Foundation
@_exported import StrataFetchedResults
@_exported import StrataFormats
@_exported import StrataFoundationGaps
@_exported import StrataManagedModel
@_exported import StrataObjectGraph
@_exported import StrataPredicates
@_exported import StrataStoreCoordination
