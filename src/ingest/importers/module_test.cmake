xsp_label(importers_test threads)
