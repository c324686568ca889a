import type { MetadataRoute } from 'next'

/** Everything public may be read; the admin pages may not. */
export default function robots(): MetadataRoute.Robots {
  return { rules: { userAgent: '*', allow: '/', disallow: '/admin' } }
}
