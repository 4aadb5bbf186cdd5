import ModelCompiler

ModelCompiler.main(CommandLine.arguments.dropFirst())
