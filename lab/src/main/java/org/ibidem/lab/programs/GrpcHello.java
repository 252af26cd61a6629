package org.ibidem.lab.programs;

import com.google.protobuf.Int32Value;
import com.google.protobuf.StringValue;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/// gRPC-java: `GrpcHello server PORT`, `GrpcHello client HOST PORT COUNT`. A unary call, streams
/// from the server, from the client and both ways, an error.
public final class GrpcHello {
    private static final int STREAMED = 1000;
    private static final int LIMIT = 60;

    private static final MethodDescriptor<StringValue, StringValue> GREET =
            method(MethodType.UNARY, "greet", "");
    private static final MethodDescriptor<Int32Value, Int32Value> COUNT =
            numbers(MethodType.SERVER_STREAMING, "count");
    private static final MethodDescriptor<Int32Value, Int32Value> SUM =
            numbers(MethodType.CLIENT_STREAMING, "sum");
    private static final MethodDescriptor<Int32Value, Int32Value> NEXT =
            numbers(MethodType.BIDI_STREAMING, "next");

    private GrpcHello() {}

    private static MethodDescriptor<StringValue, StringValue> method(
            MethodType type, String name, String none) {
        var text = ProtoUtils.marshaller(StringValue.of(none));
        return MethodDescriptor.<StringValue, StringValue>newBuilder()
                .setType(type)
                .setFullMethodName("hello/" + name)
                .setRequestMarshaller(text)
                .setResponseMarshaller(text)
                .build();
    }

    private static MethodDescriptor<Int32Value, Int32Value> numbers(MethodType type, String name) {
        var number = ProtoUtils.marshaller(Int32Value.getDefaultInstance());
        return MethodDescriptor.<Int32Value, Int32Value>newBuilder()
                .setType(type)
                .setFullMethodName("hello/" + name)
                .setRequestMarshaller(number)
                .setResponseMarshaller(number)
                .build();
    }

    /// Serves, or asks.
    ///
    /// @param args `server`, port; or `client`, host, port, how many calls to time
    public static void main(String[] args) throws Exception {
        if (args[0].equals("server")) {
            serve(Integer.parseInt(args[1]));
            return;
        }
        var there = new InetSocketAddress(args[1], Integer.parseInt(args[2]));
        var channel = NettyChannelBuilder.forAddress(there).usePlaintext().build();
        try {
            Exchanges.same(greet(channel, "world"), "hello world");
            fail(channel);
            int seen = 0;
            var all =
                    ClientCalls.blockingServerStreamingCall(
                            channel, COUNT, CallOptions.DEFAULT, Int32Value.of(STREAMED));
            while (all.hasNext()) {
                Exchanges.same(all.next().getValue(), seen++);
            }
            Exchanges.same(seen, STREAMED);
            Exchanges.same(streamed(channel, SUM), (STREAMED - 1) * STREAMED / 2);
            Exchanges.same(streamed(channel, NEXT), (STREAMED + 1) * STREAMED / 2);
            System.out.println("checked");
            Exchanges.time(
                    Integer.parseInt(args[3]),
                    i -> Exchanges.same(greet(channel, "" + i), "hello " + i));
        } finally {
            channel.shutdownNow().awaitTermination(LIMIT, TimeUnit.SECONDS);
        }
    }

    private static String greet(ManagedChannel channel, String who) {
        return ClientCalls.blockingUnaryCall(
                        channel, GREET, CallOptions.DEFAULT, StringValue.of(who))
                .getValue();
    }

    private static void fail(ManagedChannel channel) {
        try {
            throw new IllegalStateException("nobody is greeted: " + greet(channel, ""));
        } catch (StatusRuntimeException e) {
            Exchanges.same(e.getStatus().getCode(), Status.Code.INVALID_ARGUMENT);
        }
    }

    /// Sends a thousand numbers by one call.
    ///
    /// @return the sum of those that come back
    private static int streamed(
            ManagedChannel channel, MethodDescriptor<Int32Value, Int32Value> method)
            throws Exception {
        var answer = new CompletableFuture<Integer>();
        var adds = new Adding(answer);
        var call = channel.newCall(method, CallOptions.DEFAULT);
        var out =
                method == SUM
                        ? ClientCalls.asyncClientStreamingCall(call, adds)
                        : ClientCalls.asyncBidiStreamingCall(call, adds);
        for (int i = 0; i < STREAMED; i++) {
            out.onNext(Int32Value.of(i));
        }
        out.onCompleted();
        return answer.get(LIMIT, TimeUnit.SECONDS);
    }

    private static final class Adding implements StreamObserver<Int32Value> {
        private final CompletableFuture<Integer> whole;
        private int sum;

        Adding(CompletableFuture<Integer> whole) {
            this.whole = whole;
        }

        @Override
        public void onNext(Int32Value value) {
            sum += value.getValue();
        }

        @Override
        public void onError(Throwable why) {
            whole.completeExceptionally(why);
        }

        @Override
        public void onCompleted() {
            whole.complete(sum);
        }
    }

    private static void serve(int port) throws Exception {
        var methods =
                ServerServiceDefinition.builder("hello")
                        .addMethod(GREET, ServerCalls.asyncUnaryCall(GrpcHello::greeted))
                        .addMethod(
                                COUNT,
                                ServerCalls.asyncServerStreamingCall((most, out) -> {
                                    for (int i = 0; i < most.getValue(); i++) {
                                        out.onNext(Int32Value.of(i));
                                    }
                                    out.onCompleted();
                                }))
                        .addMethod(SUM, ServerCalls.asyncClientStreamingCall(GrpcHello::summed))
                        .addMethod(
                                NEXT,
                                ServerCalls.asyncBidiStreamingCall(out -> new Answering(out)));
        var server =
                NettyServerBuilder.forPort(port)
                        .directExecutor()
                        .addService(methods.build())
                        .build()
                        .start();
        System.out.println("listening on " + server.getPort());
        server.awaitTermination();
    }

    private static void greeted(StringValue who, StreamObserver<StringValue> out) {
        if (who.getValue().isEmpty()) {
            out.onError(Status.INVALID_ARGUMENT.withDescription("who?").asRuntimeException());
            return;
        }
        out.onNext(StringValue.of("hello " + who.getValue()));
        out.onCompleted();
    }

    private static StreamObserver<Int32Value> summed(StreamObserver<Int32Value> out) {
        var whole = new CompletableFuture<Integer>();
        var _ =
                whole.whenComplete((sum, why) -> {
                    if (why == null) {
                        out.onNext(Int32Value.of(sum));
                        out.onCompleted();
                    }
                });
        return new Adding(whole);
    }

    /// Each number's successor.
    private record Answering(StreamObserver<Int32Value> out) implements StreamObserver<Int32Value> {
        @Override
        public void onNext(Int32Value value) {
            out.onNext(Int32Value.of(value.getValue() + 1));
        }

        @Override
        public void onError(Throwable why) {
            // the client is gone: there is nobody to tell
        }

        @Override
        public void onCompleted() {
            out.onCompleted();
        }
    }
}
