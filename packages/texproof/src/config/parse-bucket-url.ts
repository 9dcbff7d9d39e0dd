/** A bucket of an S3-compatible service, and the credentials to use it. */
export interface BucketAddress {
  /** URL of the service, without the bucket. */
  readonly endpoint: string
  readonly bucket: string
  /** Start of every key: empty, or ends with a slash. */
  readonly prefix: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

/**
 * `s3://KEY:SECRET@HOST[:PORT]/BUCKET[/PREFIX]`, with `?region=…` for services that check it (default `us-east-1`) and
 * `?tls=false` for plain HTTP. Characters such as `/` and `+` in the secret are percent-encoded.
 */
export function parseBucketUrl(text: string): BucketAddress | null {
  if (!URL.canParse(text)) return null
  const { protocol, host, username, password, pathname, searchParams, hash } = new URL(text)
  const [bucket = '', ...folders] = pathname.replace(/^\/+|\/+$/g, '').split('/')
  const tls = searchParams.get('tls') ?? 'true'
  const isKnown = [...searchParams.keys()].every((name) => name === 'tls' || name === 'region')
  if (protocol !== 's3:' || host === '' || !isKnown || hash !== '' || !/^(?:true|false)$/.test(tls)) return null
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket)) return null
  if (!folders.every((folder) => /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/.test(folder))) return null
  try {
    const [accessKeyId, secretAccessKey] = [decodeURIComponent(username), decodeURIComponent(password)]
    if (accessKeyId === '' || secretAccessKey === '') return null
    return {
      endpoint: `${tls === 'true' ? 'https' : 'http'}://${host}`,
      bucket,
      prefix: folders.map((folder) => `${folder}/`).join(''),
      region: searchParams.get('region') ?? 'us-east-1',
      accessKeyId,
      secretAccessKey,
    }
  } catch {
    return null // a percent sign that encodes nothing
  }
}
