import type ts from 'typescript-gate'

/** Options of an exercise that take part in the verdict. Paths, plugins, emit and the like are not for it to choose. */
const ALLOWED = new Set([
  'allowImportingTsExtensions',
  'allowJs',
  'allowSyntheticDefaultImports',
  'allowUnreachableCode',
  'allowUnusedLabels',
  'alwaysStrict',
  'checkJs',
  'downlevelIteration',
  'emitDecoratorMetadata',
  'erasableSyntaxOnly',
  'esModuleInterop',
  'exactOptionalPropertyTypes',
  'experimentalDecorators',
  'forceConsistentCasingInFileNames',
  'isolatedModules',
  'jsx',
  'lib',
  'module',
  'moduleDetection',
  'moduleResolution',
  'noFallthroughCasesInSwitch',
  'noImplicitAny',
  'noImplicitOverride',
  'noImplicitReturns',
  'noImplicitThis',
  'noPropertyAccessFromIndexSignature',
  'noUncheckedIndexedAccess',
  'noUnusedLocals',
  'noUnusedParameters',
  'resolveJsonModule',
  'strict',
  'strictBindCallApply',
  'strictBuiltinIteratorReturn',
  'strictFunctionTypes',
  'strictNullChecks',
  'strictPropertyInitialization',
  'target',
  'useDefineForClassFields',
  'useUnknownInCatchVariables',
  'verbatimModuleSyntax',
])

/** Turns the text form of compilerOptions into TypeScript's, with what the gate itself insists on. */
export function allowOptions(
  typescript: typeof ts,
  options: Record<string, unknown>,
): ts.CompilerOptions {
  const chosen = Object.fromEntries(Object.entries(options).filter(([name]) => ALLOWED.has(name)))
  const { options: converted } = typescript.convertCompilerOptionsFromJson(chosen, '/')
  return {
    target: typescript.ScriptTarget.ES2020,
    ...converted,
    types: ['node'],
    skipLibCheck: true,
    noEmit: true,
    composite: false,
    incremental: false,
  }
}
