import type ts from 'typescript-gate'
import type { TypeDiagnostic } from '../gate-types.ts'
import { allowOptions } from './allow-options.ts'
import { type LibraryFiles, TaskHost } from './task-host.ts'
import type { TypeCheckInput } from './type-messages.ts'

const MOST_DIAGNOSTICS = 100

/** Checks all files of one task as `tsc --noEmit` would. */
export function checkTypes(
  typescript: typeof ts,
  libraries: LibraryFiles,
  input: TypeCheckInput,
): TypeDiagnostic[] {
  const options = allowOptions(typescript, input.compilerOptions)
  const host = new TaskHost(typescript, libraries, options, input)
  const program = typescript.createProgram({ rootNames: host.rootNames, options, host })
  const found: ts.Diagnostic[] = [...program.getOptionsDiagnostics()]
  const own = host.rootNames
    .map((name) => program.getSourceFile(name))
    .filter((file) => file !== undefined)
  for (const file of own) found.push(...program.getSyntacticDiagnostics(file))
  // As tsc: what does not parse is not checked further.
  if (found.length === 0) {
    found.push(...program.getGlobalDiagnostics())
    for (const file of own) found.push(...program.getSemanticDiagnostics(file))
  }
  return found.slice(0, MOST_DIAGNOSTICS).map((one) => toDiagnostic(typescript, host, one))
}

function toDiagnostic(typescript: typeof ts, host: TaskHost, found: ts.Diagnostic): TypeDiagnostic {
  const message = typescript.flattenDiagnosticMessageText(found.messageText, '\n').slice(0, 4_000)
  const { line, character } = found.file?.getLineAndCharacterOfPosition(found.start ?? 0) ?? {
    line: 0,
    character: 0,
  }
  const file = found.file ? host.relative(found.file.fileName) : ''
  return {
    file,
    line: line + 1,
    column: character + 1,
    code: found.code,
    message: message.replaceAll(`${host.root}/`, ''),
  }
}
