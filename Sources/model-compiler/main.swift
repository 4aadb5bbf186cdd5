import StrataModelCompiler

ModelCompiler.main(CommandLine.arguments.dropFirst())
