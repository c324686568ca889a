/** One tool as a server describes it; `inputSchema` is JSON Schema. */
export type ToolDescription = { name: string; description: string; inputSchema: unknown }

/** An MCP server that runs beside one browser, opened for one episode. */
export type ToolServer = {
  tools: readonly ToolDescription[]
  /** Answers with the result's text; a tool that failed is a value, a server that is gone throws. */
  call: (name: string, args: unknown) => Promise<{ text: string; isError: boolean }>
  close: () => Promise<void>
}
