import type ts from 'typescript-gate'
import type { SourceText } from '../task-folder.ts'
import { BINARY_OPERATORS, CALL_OPERATORS, UNARY_OPERATORS } from './operators/expressions.ts'
import { isProse, LITERAL_OPERATORS, REGEX_OPERATORS } from './operators/literals.ts'
import type { Edit, Operator, TypeScript } from './operators/operator.ts'
import { STATEMENT_OPERATORS } from './operators/statements.ts'

/** A reference with one small mistake in it. */
type Mutant = {
  operator: string
  path: string
  line: number
  before: string
  after: string
  /** All solution files, one of them changed. */
  files: readonly SourceText[]
}

/** Lists every mutant of a reference, in the order of the text; duplicates are removed. */
export function listMutants(typescript: TypeScript, reference: readonly SourceText[]): Mutant[] {
  return reference.flatMap((file) =>
    mutateFile(typescript, file).map(({ text, ...mutant }) => ({
      ...mutant,
      path: file.path,
      files: reference.map((one) => (one === file ? { path: file.path, text } : one)),
    })),
  )
}

type FileMutant = Omit<Mutant, 'path' | 'files'> & { text: string }

function mutateFile(typescript: TypeScript, { path, text }: SourceText): FileMutant[] {
  const source = typescript.createSourceFile(path, text, typescript.ScriptTarget.Latest, true)
  const seen = new Set([text])
  const mutants: (FileMutant & { start: number })[] = []
  const visit = (node: ts.Node): void => {
    if (isTypeOnly(typescript, node) || isProse(node, { typescript, source })) return
    for (const { name, mutate } of ALL_OPERATORS) {
      for (const edit of mutate(node, { typescript, source })) {
        const changed = text.slice(0, edit.start) + edit.text + text.slice(edit.end)
        if (seen.has(changed)) continue
        seen.add(changed)
        mutants.push({ ...describe(name, source, edit), text: changed, start: edit.start })
      }
    }
    node.forEachChild(visit)
  }
  visit(source)
  return mutants.sort((a, b) => a.start - b.start).map(({ start: _, ...mutant }) => mutant)
}

const MAX_SHOWN = 120

function describe(operator: string, source: ts.SourceFile, { start, end, text }: Edit) {
  const { line } = source.getLineAndCharacterOfPosition(start)
  const before = source.text.slice(start, end).slice(0, MAX_SHOWN)
  return { operator, line: line + 1, before, after: text.slice(0, MAX_SHOWN) }
}

/** Type-only code is covered by the type tests. */
function isTypeOnly(typescript: TypeScript, node: ts.Node): boolean {
  return (
    typescript.isTypeNode(node) ||
    typescript.isInterfaceDeclaration(node) ||
    typescript.isTypeAliasDeclaration(node) ||
    typescript.isImportDeclaration(node)
  )
}

export const ALL_OPERATORS: readonly Operator[] = [
  ...BINARY_OPERATORS,
  ...UNARY_OPERATORS,
  ...STATEMENT_OPERATORS,
  ...LITERAL_OPERATORS,
  ...CALL_OPERATORS,
  ...REGEX_OPERATORS,
]
