# Tools are called on a thread of their own.
xsp_label(mcp_test threads)
xsp_takes(mcp_test 20)
