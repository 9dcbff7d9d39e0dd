require 'json'
require 'octokit'

def connect(token)
  Octokit::Client.new(access_token: token, api_endpoint: "#{ENV.fetch('BASE')}/api/v3/", auto_paginate: true)
end

def ends(items)
  [items.first.name, items.last.name, items.size]
end

def status_of
  yield
  0
rescue Octokit::Error => e
  e.response_status
end

api = connect(ENV.fetch('TOKEN'))
branch = api.branch('alice/tides', 'feature/a')
tides = api.repository('alice/tides')

puts JSON.generate(
  login: api.user.login,
  profile: api.user('bob').login,
  ownCount: api.repositories.size,
  publicCount: api.repositories('alice').size,
  repository: tides.full_name,
  mayPush: tides.permissions.push,
  branches: ends(api.branches('alice/tides')),
  tags: ends(api.tags('alice/tides')),
  branch: [branch.name, branch.commit.sha],
  created: api.create_repository('by-octokit-rb', auto_init: true, license_template: 'mit').full_name,
  errors: [
    status_of { connect('pst_bad').user },
    status_of { connect(ENV.fetch('READ_TOKEN')).create_repository('x') },
    status_of { api.repository('bob/hidden') },
    status_of { api.user('nobody') },
    status_of { api.create_repository('not a name') }
  ]
)
