// The types of attributes, of delete rules and of index elements are part of the descriptions' interface.
@_exported import StrataFormats
