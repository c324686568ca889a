import type ts from 'typescript-gate'

export type TypeScript = typeof ts

/** One replacement in a file's text. */
export type Edit = { start: number; end: number; text: string }

export type OperatorContext = { typescript: TypeScript; source: ts.SourceFile }

/** One kind of small mistake. `mutate` returns every way to make it at exactly this node, none for most nodes. */
export type Operator = {
  name: string
  mutate(node: ts.Node, context: OperatorContext): Edit[]
}

/** Replaces a whole node. */
export function replace(node: ts.Node, text: string, { source }: OperatorContext): Edit {
  return { start: node.getStart(source), end: node.getEnd(), text }
}

/** Returns the source text of a node, without the comments before it. */
export function textOf(node: ts.Node, { source }: OperatorContext): string {
  return node.getText(source)
}
