package org.ibidem.lab.bench.rmi;

import com.google.protobuf.BytesValue;
import com.google.protobuf.Empty;
import com.google.protobuf.Int32Value;
import com.google.protobuf.Message;
import com.google.protobuf.UnsafeByteOperations;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollDomainSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollIoHandler;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.unix.DomainSocketAddress;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.function.Function;
import org.ibidem.lab.bench.TreeNode;
import org.jspecify.annotations.Nullable;

/// Blocking calls by gRPC-java over its Netty, without TLS. There is no compiler of stubs here, so
/// methods are described as generated code would do it, and messages are those that the library of
/// Protocol Buffers comes with. Bytes are neither copied to nor from an array.
///
/// What has no message there (arrays of numbers, the tree) is not played.
final class GrpcCalls implements Calls, AutoCloseable {
    private static final String SERVICE = "calls";

    private static final MethodDescriptor<Empty, Empty> NOTHING =
            method("nothing", Empty.getDefaultInstance(), Empty.getDefaultInstance());
    private static final MethodDescriptor<Int32Value, Int32Value> NEXT =
            method("next", Int32Value.getDefaultInstance(), Int32Value.getDefaultInstance());
    private static final MethodDescriptor<BytesValue, Int32Value> TAKE =
            method("take", BytesValue.getDefaultInstance(), Int32Value.getDefaultInstance());

    private final ManagedChannel channel;
    private final @Nullable EventLoopGroup loops;

    private GrpcCalls(NettyChannelBuilder channel, @Nullable EventLoopGroup loops) {
        this.channel = channel.usePlaintext().build();
        this.loops = loops;
    }

    /// @param port where the server listens on loopback
    static GrpcCalls at(int port) {
        return new GrpcCalls(NettyChannelBuilder.forAddress("127.0.0.1", port), null);
    }

    /// @param file the server's socket
    static GrpcCalls at(Path file) {
        var loops = new MultiThreadIoEventLoopGroup(EpollIoHandler.newFactory());
        var channel =
                NettyChannelBuilder.forAddress(new DomainSocketAddress(file.toFile()))
                        .channelType(EpollDomainSocketChannel.class)
                        .overrideAuthority("localhost")
                        .eventLoopGroup(loops);
        return new GrpcCalls(channel, loops);
    }

    private static <Q extends Message, R extends Message> MethodDescriptor<Q, R> method(
            String name, Q request, R reply) {
        return MethodDescriptor.<Q, R>newBuilder()
                .setType(MethodType.UNARY)
                .setFullMethodName(MethodDescriptor.generateFullMethodName(SERVICE, name))
                .setRequestMarshaller(ProtoUtils.marshaller(request))
                .setResponseMarshaller(ProtoUtils.marshaller(reply))
                .build();
    }

    /// Starts a server on a port of loopback that is free. Methods are run by the thread that reads
    /// their arguments, as gRPC has it for those that do not block.
    static Server serve() throws IOException {
        var here = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        return serve(NettyServerBuilder.forAddress(here));
    }

    /// The same at a Unix-domain socket.
    static Server serve(Path file) throws IOException {
        var loops = new MultiThreadIoEventLoopGroup(EpollIoHandler.newFactory());
        return serve(
                NettyServerBuilder.forAddress(new DomainSocketAddress(file.toFile()))
                        .channelType(EpollServerDomainSocketChannel.class)
                        .bossEventLoopGroup(loops)
                        .workerEventLoopGroup(loops));
    }

    private static Server serve(NettyServerBuilder at) throws IOException {
        var methods = ServerServiceDefinition.builder(SERVICE);
        add(methods, NOTHING, request -> request);
        add(methods, NEXT, request -> Int32Value.of(request.getValue() + 1));
        add(methods, TAKE, request -> Int32Value.of(request.getValue().size()));
        return at.directExecutor().addService(methods.build()).build().start();
    }

    private static <Q, R> void add(
            ServerServiceDefinition.Builder methods,
            MethodDescriptor<Q, R> method,
            Function<Q, R> body) {
        methods.addMethod(
                method,
                ServerCalls.asyncUnaryCall((request, replies) -> {
                    replies.onNext(body.apply(request));
                    replies.onCompleted();
                }));
    }

    private <Q, R> R call(MethodDescriptor<Q, R> method, Q request) {
        return ClientCalls.blockingUnaryCall(channel, method, CallOptions.DEFAULT, request);
    }

    @Override
    public void nothing() {
        call(NOTHING, Empty.getDefaultInstance());
    }

    @Override
    public int next(int value) {
        return call(NEXT, Int32Value.of(value)).getValue();
    }

    @Override
    public int take(byte[] values) {
        return call(TAKE, BytesValue.of(UnsafeByteOperations.unsafeWrap(values))).getValue();
    }

    @Override
    public int take(int[] values) {
        throw notPlayed();
    }

    @Override
    public int take(double[] values) {
        throw notPlayed();
    }

    @Override
    public long take(TreeNode tree) {
        throw notPlayed();
    }

    private static UnsupportedOperationException notPlayed() {
        return new UnsupportedOperationException("gRPC has no message for it here");
    }

    @Override
    public void close() {
        channel.shutdownNow();
        if (loops != null) {
            var _ = loops.shutdownGracefully();
        }
    }
}
