// @ts-check
import Module, { register } from 'node:module'

const LENT = 'typescript-gate'

/**
 * dependency-cruiser 17 reads TypeScript through the compiler's old API, which TypeScript 7 no longer has.
 * From here on `typescript` means the 5.9 that the gate uses, in this process only.
 */
export function lendTypescript() {
  const original = Reflect.get(Module, '_resolveFilename')
  Reflect.set(
    Module,
    '_resolveFilename',
    /** @this {unknown} @param {string} request @param {unknown[]} rest */
    function resolveLent(request, ...rest) {
      return original.call(this, request.replace(/^typescript(?=$|\/)/, LENT), ...rest)
    },
  )
  const hook = `export const resolve = (name, context, next) =>
    next(name === 'typescript' ? '${LENT}' : name, context)`
  register(`data:text/javascript,${encodeURIComponent(hook)}`, import.meta.url)
}
