import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/// Fetches a page three times, and says whether it is what a file has; then who is at the end of a
/// channel. Usage: java Fetch.java URL FILE
class Fetch {
    public static void main(String[] told) throws Exception {
        var at = URI.create(told[0]);
        var own = Files.readAllBytes(Path.of(told[1]));
        var client = HttpClient.newHttpClient();
        for (int i = 0; i < 3; i++) {
            var got = client.send(HttpRequest.newBuilder(at).build(), BodyHandlers.ofByteArray());
            System.out.println(got.statusCode() + " " + Arrays.equals(got.body(), own));
        }
        try (var socket = SocketChannel.open(new InetSocketAddress(at.getHost(), at.getPort()))) {
            var peer = (InetSocketAddress) socket.getRemoteAddress();
            System.out.println(peer.getAddress().getHostAddress() + ":" + peer.getPort());
        }
    }
}
