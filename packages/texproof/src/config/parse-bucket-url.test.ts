import assert from 'node:assert/strict'
import { test } from 'node:test'

import { parseBucketUrl } from './parse-bucket-url.ts'

const papers = {
  endpoint: 'https://s3.example',
  bucket: 'papers',
  prefix: '',
  region: 'us-east-1',
  accessKeyId: 'key',
  secretAccessKey: 'a/b+c',
}

const cases: readonly (readonly [string, ReturnType<typeof parseBucketUrl>])[] = [
  ['s3://key:a%2Fb%2Bc@s3.example/papers', papers],
  ['s3://key:a%2Fb%2Bc@s3.example/papers/', papers],
  ['s3://key:a%2Fb%2Bc@s3.example/papers/department/2026', { ...papers, prefix: 'department/2026/' }],
  [
    's3://key:a%2Fb%2Bc@127.0.0.1:9000/papers?region=eu-central-1&tls=false',
    { ...papers, endpoint: 'http://127.0.0.1:9000', region: 'eu-central-1' },
  ],
  ['https://key:secret@s3.example/papers', null],
  ['s3://s3.example/papers', null],
  ['s3://key@s3.example/papers', null],
  ['s3://key:100%@s3.example/papers', null],
  ['s3://key:secret@s3.example/', null],
  ['s3://key:secret@s3.example/UPPER', null],
  ['s3://key:secret@s3.example/papers//twice', null],
  ['s3://key:secret@s3.example/papers?tls=maybe', null],
  ['s3://key:secret@s3.example/papers?endpoint=other', null],
  ['papers', null],
]

for (const [text, expected] of cases)
  test(`parseBucketUrl() of ${text}`, () => assert.deepEqual(parseBucketUrl(text), expected))
