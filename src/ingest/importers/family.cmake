xsp_plugin_family(ImporterSpec importer.h AllImporters)
