/** The public face of this module: other rooms import from here alone. */
export { hasPrice, priceUsage, statesCost } from './price-usage.ts'
