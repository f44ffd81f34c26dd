FROM node:22-bookworm AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build && npm prune --omit=dev --ignore-scripts

FROM node:22-bookworm-slim
ENV NODE_ENV=production MEDLEY_HOST=0.0.0.0 MEDLEY_DATA=/data
WORKDIR /app
COPY --from=build /app/package.json /app/LICENSE /app/README.md ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY --from=build /app/contract ./contract
RUN apt-get update && apt-get install -y --no-install-recommends liblouis20 && rm -rf /var/lib/apt/lists/*
RUN mkdir /data && chown node:node /data && ln -s /app/dist/main.js /usr/local/bin/medley
USER node
VOLUME /data
EXPOSE 4020 4021
HEALTHCHECK --interval=10s --timeout=3s CMD ["node", "-e", "fetch('http://127.0.0.1:4020/_medley/ready').then(r=>process.exit(r.ok?0:1),()=>process.exit(1))"]
ENTRYPOINT ["node", "dist/main.js"]
CMD ["serve"]
