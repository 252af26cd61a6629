# An echo by Ice. echo.py SLICE HOST PORT: serves; with OTHER PORT behind: calls the one there, and is called
# back at HOST and PORT.
import sys

import Ice

Ice.loadSlice(sys.argv[1])
import Lab

LARGE = 1 << 17


class Echo(Lab.Echo):
    def who(self, current=None):
        return current.con.getInfo().remoteAddress

    def twice(self, some, current=None):
        return [2 * each for each in some]

    def tell(self, whom, what, current=None):
        whom.heard(what)


class Listener(Lab.Listener):
    last = "nothing"

    def heard(self, what, current=None):
        self.last = what


def begin():
    settings = Ice.createProperties()
    settings.setProperty("Ice.MessageSizeMax", "8192")
    settings.setProperty("Own.Endpoints", "tcp -h 0.0.0.0 -p " + sys.argv[3])
    settings.setProperty("Own.PublishedEndpoints", "tcp -h %s -p %s" % (sys.argv[2], sys.argv[3]))
    data = Ice.InitializationData()
    data.properties = settings
    return Ice.initialize(data)


def serve(communicator):
    adapter = communicator.createObjectAdapter("Own")
    adapter.add(Echo(), communicator.stringToIdentity("echo"))
    adapter.activate()
    print("ready", flush=True)
    communicator.waitForShutdown()


def call(communicator, host, port):
    echo = Lab.EchoPrx.checkedCast(communicator.stringToProxy("echo:tcp -h %s -p %s" % (host, port)))
    some = [i * 0.25 for i in range(LARGE)]
    right = list(echo.twice(some)) == [2 * each for each in some]
    adapter = communicator.createObjectAdapter("Own")
    listener = Listener()
    own = Lab.ListenerPrx.uncheckedCast(adapter.addWithUUID(listener))
    adapter.activate()
    echo.tell(own, "called back")
    print(echo.who(), "right" if right else "wrong", listener.last, flush=True)


with begin() as communicator:
    if len(sys.argv) == 4:
        serve(communicator)
    else:
        call(communicator, sys.argv[4], sys.argv[5])
