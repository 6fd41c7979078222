# Tools are called on a thread of their own.
xsp_label(mcp_test threads)
