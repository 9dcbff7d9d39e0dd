import json
import os
import sys

from github import BadAttributeException, Github, GithubException

API = os.environ["BASE"] + "/api/v3"


def connect(token):
    return Github(os.environ[token] if token in os.environ else token, base_url=API)


def ends(items):
    names = [item.name for item in items]
    return [names[0], names[-1], len(names)]


def status_of(call):
    try:
        call()
    except GithubException as error:
        return error.status
    return 0


api = connect("TOKEN")
me = api.get_user()
tides = api.get_repo("alice/tides")
branch = tides.get_branch("feature/a")

# The compatibility matrix says so: ids of users are strings here, and this client wants numbers.
try:
    raise SystemExit(f"user.id reads {me.id}")
except BadAttributeException:
    pass

tour = {
    "login": me.login,
    "profile": api.get_user("bob").login,
    "ownCount": len(list(me.get_repos())),
    "publicCount": api.get_user("alice").get_repos().totalCount,
    "repository": tides.full_name,
    "mayPush": tides.permissions.push,
    "branches": ends(tides.get_branches()),
    "tags": ends(tides.get_tags()),
    "branch": [branch.name, branch.commit.sha],
    "created": me.create_repo("by-pygithub", auto_init=True, gitignore_template="TeX").full_name,
    "errors": [
        status_of(lambda: connect("pst_bad").get_user().login),
        status_of(lambda: connect("READ_TOKEN").get_user().create_repo("x")),
        status_of(lambda: api.get_repo("bob/hidden")),
        status_of(lambda: api.get_user("nobody")),
        status_of(lambda: me.create_repo("not a name")),
    ],
}
json.dump(tour, sys.stdout)
