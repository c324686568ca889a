/** The public face of this module: other rooms import from here alone. */
export { priceUsage } from './price-usage.ts'
