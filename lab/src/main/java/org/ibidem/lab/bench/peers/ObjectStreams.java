package org.ibidem.lab.bench.peers;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.net.Socket;
import org.ibidem.lab.bench.Contestant;
import org.ibidem.lab.bench.End;
import org.ibidem.lab.bench.Loop;
import org.ibidem.lab.bench.Measure;
import org.ibidem.lab.bench.Meeting;
import org.ibidem.lab.bench.Payload;
import org.ibidem.lab.bench.Player;
import org.ibidem.lab.bench.TreeNode;

/// The JDK's object streams over a socket: what is at hand without any library.
public record ObjectStreams() implements Contestant {
    private static final int BUFFER = 1 << 16;

    @Override
    public String name() {
        return "jdk-objects";
    }

    @Override
    public Waiting waiting() {
        return Waiting.BLOCK;
    }

    @Override
    public String about() {
        return "ObjectOutputStream over a buffered socket stream; arrays and trees as objects, reset for each";
    }

    @Override
    public boolean plays(Measure measure) {
        return measure.kind() != Measure.Kind.RATE;
    }

    @Override
    public Player open(Meeting meeting) throws IOException {
        var socket = meeting.socket().socket();
        var out =
                new ObjectOutputStream(new BufferedOutputStream(socket.getOutputStream(), BUFFER));
        out.flush(); // the other end's stream waits for the header
        var in = new ObjectInputStream(new BufferedInputStream(socket.getInputStream(), BUFFER));
        return new Loop(new Streams(socket, out, in));
    }

    private record Streams(Socket socket, ObjectOutputStream out, ObjectInputStream in)
            implements End {
        @Override
        public void send(Payload payload) throws IOException {
            switch (payload) {
                case Payload.Word word -> out.writeLong(word.value);
                case Payload.Five five -> {
                    out.writeInt(five.a);
                    out.writeLong(five.b);
                    out.writeLong(five.c);
                    out.writeInt(five.d);
                    out.writeLong(five.e);
                }
                case Payload.Bytes bytes -> object(bytes.data);
                case Payload.Ints ints -> object(ints.data);
                case Payload.Doubles doubles -> object(doubles.data);
                case Payload.Tree tree -> object(tree.root);
            }
            out.flush();
        }

        private void object(Object object) throws IOException {
            out.reset(); // or the same array is sent as a reference to the one sent before
            out.writeObject(object);
        }

        @Override
        public void receive(Payload payload) throws IOException, ClassNotFoundException {
            switch (payload) {
                case Payload.Word word -> word.value = in.readLong();
                case Payload.Five five -> {
                    five.a = in.readInt();
                    five.b = in.readLong();
                    five.c = in.readLong();
                    five.d = in.readInt();
                    five.e = in.readLong();
                }
                case Payload.Bytes bytes -> bytes.data = (byte[]) in.readObject();
                case Payload.Ints ints -> ints.data = (int[]) in.readObject();
                case Payload.Doubles doubles -> doubles.data = (double[]) in.readObject();
                case Payload.Tree tree -> tree.root = (TreeNode) in.readObject();
            }
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
