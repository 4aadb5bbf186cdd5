/// The modules that exist only on Apple's platforms, and the names by which a source uses them.
enum AppleModules {
  /// Names that prove the use of a module: those with a prefix before a capital letter, and single ones.
  private struct Names {
    var prefixes: [String] = []
    var words: Set<String> = []
  }

  static func isApples(_ module: String) -> Bool { names[module] != nil || others.contains(module) }

  /// Whether a word is one of the known names of the module.
  static func declares(_ word: String, in module: String) -> Bool {
    guard let names = names[module] else { return false }
    return names.words.contains(word) || names.prefixes.contains { hasPrefix(word, $0) }
  }

  /// Whether a type with this supertype belongs to a user interface.
  static func isInterface(_ supertype: String) -> Bool {
    interfaceTypes.contains(supertype)
      || (["UI", "WK"].contains { hasPrefix(supertype, $0) } && supertype != "UIColor" && supertype != "UIImage")
      || ["NSView", "NSWindow", "NSTable", "NSOutline", "NSCollectionView", "NSDocument", "NSApplication"]
        .contains { supertype.hasPrefix($0) }
  }

  private static func hasPrefix(_ word: String, _ prefix: String) -> Bool {
    word.utf8.starts(with: prefix.utf8) && word.dropFirst(prefix.count).first?.isUppercase == true
  }

  private static let interfaceTypes: Set<String> = [
    "View", "App", "Scene", "ViewModifier", "PreviewProvider", "ButtonStyle", "Widget", "WidgetBundle",
    "TimelineProvider", "NSPersistentDocument", "NSButton", "NSTextField", "NSMenu", "NSToolbarDelegate",
  ]

  private static let swiftUI: Set<String> = [
    "View", "App", "Scene", "State", "StateObject", "ObservedObject", "EnvironmentObject", "Environment", "Binding",
    "FetchRequest", "SectionedFetchRequest", "FetchedResults", "SectionedFetchResults", "Color", "Image", "Text",
    "LocalizedStringKey", "withAnimation", "AppStorage", "SceneStorage", "PreviewProvider", "EnvironmentKey",
    "EnvironmentValues",
  ]

  private static let combine: Set<String> = [
    "Publisher", "AnyPublisher", "Publishers", "AnyCancellable", "Cancellable", "PassthroughSubject",
    "CurrentValueSubject", "Published", "ObservableObject", "ObservableObjectPublisher", "Subscribers", "Subscriber",
    "objectWillChange", "receive", "eraseToAnyPublisher",
  ]

  private static let appKit: Set<String> = [
    "NSView", "NSViewController", "NSWindow", "NSWindowController", "NSApplication", "NSApp", "NSImage", "NSColor",
    "NSFont", "NSTableView", "NSOutlineView", "NSWorkspace", "NSDocument", "NSPersistentDocument", "NSAlert", "NSMenu",
    "NSMenuItem", "NSPasteboard", "NSArrayController", "NSTreeController", "NSObjectController", "NSScreen", "NSEvent",
    "NSBezierPath", "NSDiffableDataSourceSnapshot",
  ]

  private static let os: Set<String> = [
    "OSLog", "OSLogType", "Logger", "os_log", "os_unfair_lock", "OSAllocatedUnfairLock", "OSSignposter", "os_signpost",
  ]

  /// Modules of which no names are known.
  private static let others: Set<String> = [
    "ARKit", "AVFAudio", "AVRouting", "ActivityKit", "AddressBook", "AppleArchive", "AssetsLibrary",
    "AudioToolbox", "AudioUnit", "AutomaticAssessmentConfiguration", "BackgroundAssets", "BusinessChat", "CallKit",
    "CarPlay", "CarKey", "ClassKit", "ClockKit", "ColorSync", "Compression", "ContactsUI", "CoreAudio", "CoreAudioKit",
    "CoreAudioTypes", "CoreHID", "CoreHaptics", "CoreLocationUI", "CoreMIDI", "CoreNFC", "CoreTransferable",
    "CoreVideo", "CoreWLAN", "CreateML", "CryptoTokenKit", "DataDetection", "DeviceActivity", "DeviceCheck",
    "DeviceDiscoveryUI", "DiskArbitration", "EventKitUI", "ExtensionKit", "ExternalAccessory", "FamilyControls",
    "FileProvider", "FileProviderUI", "FinderSync", "FoundationModels", "GLKit", "GameController", "GameplayKit",
    "GroupActivities", "HealthKitUI", "HomeKit", "IOBluetooth", "IOSurface", "IdentityLookup", "IntentsUI",
    "JournalingSuggestions", "LockedCameraCapture", "MLCompute", "ManagedSettings", "MarketplaceKit", "Matter",
    "MediaAccessibility", "MediaLibrary", "MediaSetup", "Metal", "MetalFX", "MetalKit",
    "MetalPerformanceShaders", "MetalPerformanceShadersGraph", "MetricKit", "ModelIO", "MusicKit", "NearbyInteraction",
    "NetworkExtension", "NotificationCenter", "OSAKit", "OpenAL", "OpenDirectory", "OpenGL", "OpenGLES", "PHASE",
    "PaperKit", "PencilKit", "ProximityReader", "PushKit", "PushToTalk", "QuickLookThumbnailing", "QuickLookUI",
    "RealityKit", "ReplayKit", "RoomPlan", "SafetyKit", "ScreenCaptureKit", "ScreenSaver",
    "ScreenTime", "ScriptingBridge", "SensitiveContentAnalysis", "SensorKit", "SharedWithYou", "SharedWithYouCore",
    "ShazamKit", "Social", "SoundAnalysis", "Speech", "System", "SystemExtensions", "TVMLKit", "TVServices",
    "TVUIKit", "ThreadNetwork", "UserNotificationsUI", "VideoSubscriberAccount", "VideoToolbox",
    "Virtualization", "VisionKit", "WeatherKit", "WiFiAware", "WorkoutKit", "XPC", "iAd", "simd",
  ]

  private static let names: [String: Names] = [
    "SwiftUI": Names(words: swiftUI.union(combine)), "Combine": Names(words: combine),
    "UIKit": Names(prefixes: ["UI"], words: ["NSDiffableDataSourceSnapshot"]), "AppKit": Names(words: appKit),
    "Cocoa": Names(words: appKit), "os": Names(words: os), "OSLog": Names(words: os),
    "WatchKit": Names(prefixes: ["WK"]), "WidgetKit": Names(words: ["Widget", "WidgetCenter", "TimelineEntry"]),
    "CloudKit": Names(prefixes: ["CK", "NSPersistentCloudKit"]), "CoreLocation": Names(prefixes: ["CL"]),
    "MapKit": Names(prefixes: ["MK"]), "Photos": Names(prefixes: ["PH"]), "PhotosUI": Names(prefixes: ["PH"]),
    "AVFoundation": Names(prefixes: ["AV"]), "AVKit": Names(prefixes: ["AV"]), "HealthKit": Names(prefixes: ["HK"]),
    "EventKit": Names(prefixes: ["EK"]), "Contacts": Names(prefixes: ["CN"]), "StoreKit": Names(prefixes: ["SK"]),
    "CoreSpotlight": Names(prefixes: ["CS"], words: ["NSCoreDataCoreSpotlightDelegate"]),
    "UserNotifications": Names(prefixes: ["UN"]), "BackgroundTasks": Names(prefixes: ["BG"]),
    "UniformTypeIdentifiers": Names(prefixes: ["UT"]), "MobileCoreServices": Names(prefixes: ["kUT"]),
    "CoreServices": Names(prefixes: ["kUT"]), "Intents": Names(prefixes: ["IN"]), "AppIntents": Names(),
    "QuartzCore": Names(prefixes: ["CA"]), "CoreGraphics": Names(words: ["CGColor", "CGImage", "CGContext", "CGPath"]),
    "CoreImage": Names(prefixes: ["CI"]), "ImageIO": Names(prefixes: ["CGImage"]),
    "Security": Names(prefixes: ["Sec", "kSec"]), "LocalAuthentication": Names(prefixes: ["LA"]),
    "CryptoKit": Names(words: ["SHA256", "SymmetricKey", "AES", "Insecure", "HMAC"]),
    "CommonCrypto": Names(prefixes: ["CC_"]), "Network": Names(prefixes: ["NW"]), "WebKit": Names(prefixes: ["WK"]),
    "SystemConfiguration": Names(prefixes: ["SC"]), "ObjectiveC": Names(), "Darwin": Names(), "IOKit": Names(),
    "Accelerate": Names(prefixes: ["vDSP"]), "CoreText": Names(prefixes: ["CT"]), "CoreML": Names(prefixes: ["ML"]),
    "CoreMotion": Names(prefixes: ["CM"]), "CoreMedia": Names(prefixes: ["CM"]), "Vision": Names(prefixes: ["VN"]),
    "NaturalLanguage": Names(prefixes: ["NL"]), "PDFKit": Names(prefixes: ["PDF"]),
    "QuickLook": Names(prefixes: ["QL"]),
    "SpriteKit": Names(prefixes: ["SK"]), "SceneKit": Names(prefixes: ["SCN"]), "GameKit": Names(prefixes: ["GK"]),
    "MessageUI": Names(prefixes: ["MF"]), "SafariServices": Names(prefixes: ["SF"]), "PassKit": Names(prefixes: ["PK"]),
    "LinkPresentation": Names(prefixes: ["LP"]), "WatchConnectivity": Names(prefixes: ["WC"]), "TipKit": Names(),
    "Charts": Names(), "SwiftData": Names(words: ["ModelContext", "ModelContainer", "PersistentModel"]),
    "JavaScriptCore": Names(prefixes: ["JS"]), "ServiceManagement": Names(prefixes: ["SM"]),
    "DeveloperToolsSupport": Names(), "CoreTelephony": Names(prefixes: ["CT"]),
    "CoreBluetooth": Names(prefixes: ["CB"]),
    "MultipeerConnectivity": Names(prefixes: ["MC"]), "MediaPlayer": Names(prefixes: ["MP"]), "AdSupport": Names(),
    "AppTrackingTransparency": Names(), "AuthenticationServices": Names(prefixes: ["AS"]), "Carbon": Names(),
  ]
}
