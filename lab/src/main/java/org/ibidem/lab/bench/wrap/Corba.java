package org.ibidem.lab.bench.wrap;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// An object of omniORB's, which is called with a text of 1 KiB and gives it back.
final class Corba {
    private static final Path HEADER = Path.of("/usr/include/omniORB4/CORBA.h");

    private final String program;
    private final String port;

    /// Makes it and starts its server, at this port of all addresses.
    Corba(Programs programs, String port) throws IOException, InterruptedException {
        this.port = port;
        var folder = programs.folder().toString();
        var interfaces = programs.source("calls.idl").toString();
        var source = programs.source("calls.cc").toString();
        program = folder + "/calls";
        programs.compile("omniidl", "-bcxx", "-C" + folder, interfaces);
        programs.compile(
                "c++",
                "-O2",
                "-w",
                "-I" + folder,
                "-o",
                program,
                source,
                folder + "/callsSK.cc",
                "-lomniORB4",
                "-lomnithread");
        programs.serve("ready", program, "serve", "-ORBendPoint", "giop:tcp::" + port);
    }

    static boolean there() {
        return Programs.there("omniidl", "c++") && Files.exists(HEADER);
    }

    String port() {
        return port;
    }

    /// The command that calls it so often, and says how many calls that are in a second.
    String[] client(String host, String at, int calls) {
        return new String[] {
            program, "corbaloc::" + host + ":" + at + "/Calls", String.valueOf(calls)
        };
    }
}
