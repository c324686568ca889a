/** Public API of this module; other modules import only this file. */
export { hasPrice, priceUsage, statesCost } from './price-usage.ts'
