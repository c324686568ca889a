// @ts-check

import ts from 'typescript-gate'

/** @typedef {Map<string, Map<string, string>>} Faces by path of an index.ts, where each name it passes on is defined */

const FACE = /^lib\/domain\/[^/]+\/index\.ts$/

/**
 * The faces of the modules of lib/domain, in which nothing is defined.
 * @param {Readonly<Record<string, string>>} sources
 * @param {(from: string, name: string) => string} resolve
 * @returns {Faces}
 */
export function readFaces(sources, resolve) {
  const faces = Object.entries(sources).filter(([path]) => FACE.test(path))
  return new Map(
    faces.map(([path, text]) => {
      const lists = listNames(path, text)
      return [
        path,
        new Map(
          lists.flatMap(({ from, names }) => names.map((name) => [name, resolve(path, from)])),
        ),
      ]
    }),
  )
}

/**
 * Where the names are defined that a file imports through faces: who follows an import lands there.
 * @param {string} path
 * @param {string} text
 * @param {Faces} faces
 * @param {(from: string, name: string) => string} resolve
 * @returns {string[]}
 */
export function passFaces(path, text, faces, resolve) {
  return listNames(path, text).flatMap(({ from, names }) => {
    const face = faces.get(resolve(path, from))
    return face ? names.flatMap((name) => face.get(name) ?? []) : []
  })
}

/** Names by the file that they are taken from, as `import { … } from` or `export { … } from`. @param {string} path @param {string} text */
function listNames(path, text) {
  const kind = path.endsWith('.tsx') ? ts.ScriptKind.TSX : ts.ScriptKind.TS
  const { statements } = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, false, kind)
  return statements.flatMap((statement) => {
    const isImport = ts.isImportDeclaration(statement)
    if (!isImport && !ts.isExportDeclaration(statement)) return []
    const list = isImport ? statement.importClause?.namedBindings : statement.exportClause
    const from = statement.moduleSpecifier
    if (!from || !ts.isStringLiteral(from) || !list || !('elements' in list)) return []
    return [
      {
        from: from.text,
        names: list.elements.map(({ name, propertyName }) => (propertyName ?? name).text),
      },
    ]
  })
}
