/**
 * Who may import whom. Each name is a sentence of ARCHITECTURE.md; `npm run check` holds the tree to them.
 * The one door that is no import, the environment, is kept by the linter (node/no-process-env).
 */
const platex = '^packages/platex/src'
const texproof = '^packages/texproof/src'
const platexEntries = `${platex}/(api/[^/]+|base/errors)\\.ts$`

/** Modules of Node as the checker names them: without `node:`. */
const ofNode = `^(node:)?(${require('node:module')
  .builtinModules.filter((name) => !name.includes('/'))
  .join('|')})(/|$)`

/** The folders of a package in layers, lowest first. A folder imports its own layer and lower ones only. */
const layers = require('./scripts/structure/layers.json')

const web = `${texproof}/web`
const webFeatures = `${web}/(home|search|repository|files|edit|history|pdf|builds|share|account|settings|admin|docs|preview)/`

/** `hono` itself, whose types are requests; `hono/html` is markup. */
const requestOfHono = 'node_modules/hono/dist/(types/)?index\\.'

const rule = (name, from, to) => ({ name, severity: 'error', from, to })

const layerRules = (name, root) => {
  const folders = layers[name].map((layer) => `${root}/(${layer.join('|')})/`)
  return folders
    .slice(0, -1)
    .map((folder, index) =>
      rule(`${name}-layer-${index + 1}-imports-no-higher-layer`, { path: folder }, { path: folders.slice(index + 1) }),
    )
}

module.exports = {
  forbidden: [
    rule('no-cycles', {}, { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } }),
    rule('nothing-is-unresolved', {}, { couldNotResolve: true }),
    rule(
      'sources-import-only-what-their-package-lists',
      { path: '^packages/[^/]+/src' },
      { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    ),
    rule(
      'sources-do-not-import-tests',
      { pathNot: '\\.test\\.ts$|/test/' },
      { path: '\\.test\\.ts$|^packages/[^/]+/test/' },
    ),

    rule('platex-never-imports-texproof', { path: '^packages/platex/' }, { path: '^packages/texproof/' }),
    rule(
      'texproof-enters-platex-by-its-entries',
      { path: '^packages/texproof/' },
      { path: platex, pathNot: platexEntries },
    ),

    rule(
      'only-the-sandbox-starts-processes-in-platex',
      { path: platex, pathNot: `${platex}/sandbox/` },
      { path: '^(node:)?child_process$' },
    ),
    rule(
      'only-git-starts-processes-in-texproof',
      { path: texproof, pathNot: `${texproof}/git/` },
      { path: '^(node:)?child_process$' },
    ),
    rule(
      'only-the-store-knows-the-database',
      { path: texproof, pathNot: `${texproof}/store/` },
      { path: '^(node:)?sqlite$|node_modules/(kysely|pg)/' },
    ),

    rule(
      'domain-is-pure',
      { path: `${texproof}/domain/` },
      { pathNot: [`${texproof}/domain/`, '^(node:)?(crypto|zlib|buffer)$'], dependencyTypesNot: ['type-only'] },
    ),
    rule(
      'the-log-parser-is-pure',
      { path: `${platex}/log/` },
      { pathNot: [`${platex}/(log/|base/types\\.ts$)`, '^(node:)?buffer$'] },
    ),
    rule('explanations-are-pure', { path: `${platex}/explain/` }, { pathNot: `${platex}/(explain/|base/types\\.ts$)` }),
    rule(
      'presenters-are-pure',
      { path: `${texproof}/api/present/` },
      { path: `${texproof}/(store|git|papers|operations|web|smart-http)/`, dependencyTypesNot: ['type-only'] },
    ),
    rule(
      'store-and-git-know-only-the-domain-and-base',
      { path: `${texproof}/(store|git)/` },
      { path: texproof, pathNot: [`${texproof}/$1/`, `${texproof}/(domain|base)/`] },
    ),
    rule(
      'operations-do-not-know-http',
      { path: `${texproof}/operations/` },
      { path: `${texproof}/(api|smart-http|web|cli|main)/` },
    ),
    rule(
      'papers-do-not-know-the-surfaces',
      { path: `${texproof}/papers/` },
      { path: `${texproof}/(api|smart-http|web|cli|main)/` },
    ),
    rule(
      'surfaces-do-not-import-each-other',
      { path: `${texproof}/(api|smart-http|web)/` },
      { path: `${texproof}/(api|smart-http|web|cli|main)/`, pathNot: `${texproof}/$1/` },
    ),
    ...layerRules('platex', platex),
    ...layerRules('texproof', texproof),
    rule('web-features-do-not-import-each-other', { path: webFeatures }, { path: webFeatures, pathNot: `${web}/$1/` }),
    rule('the-web-shell-knows-no-feature', { path: `${web}/shell/` }, { path: [webFeatures, `${web}/app\\.ts$`] }),
    rule(
      'web-sessions-know-no-pages',
      { path: `${web}/session/` },
      { path: [webFeatures, `${web}/(shell/|app\\.ts$)`] },
    ),
    rule(
      'ui-takes-data',
      { path: `${web}/ui/` },
      {
        path: [
          webFeatures,
          `${web}/(shell|session)/`,
          `${texproof}/main/`,
          `${texproof}/operations/deps\\.ts$`,
          requestOfHono,
        ],
      },
    ),
    rule(
      'content-takes-data',
      { path: `${web}/(content|assets)/` },
      { path: [webFeatures, `${web}/(shell|session|ui)/`] },
    ),

    rule(
      'the-compiler-does-not-know-http',
      { path: `${platex}/(compile|engine|sandbox|inventory)/` },
      { path: `${platex}/(api|client|service)/` },
    ),
    rule(
      'nothing-below-the-entries-of-platex-imports-them',
      { path: platex, pathNot: `${platex}/api/` },
      { path: `${platex}/api/` },
    ),
    rule('the-client-does-not-know-the-server', { path: `${platex}/client/` }, { path: `${platex}/service/[^/]+\\.ts$` }),
    rule(
      'the-client-entry-runs-in-a-browser',
      { path: `${platex}/api/client\\.ts$` },
      { path: `${ofNode}|${platex}/(compile|engine|sandbox)/`, reachable: true },
    ),
  ],
  options: {
    exclude: { path: '\\.test\\.ts$|^packages/[^/]+/dist/' },
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      conditionNames: ['texproof-source', 'import', 'node', 'default'],
      exportsFields: ['exports'],
    },
  },
}
