/** The public face of this module: other rooms import from here alone. */
export { priceUsage, statesCost } from './price-usage.ts'
